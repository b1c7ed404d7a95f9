# The page in a container: a plain user, a read-only root, one volume for data.
#
#   docker build -t which-picture-is-right .
#   docker build -t which-picture-is-right --build-arg TORCH_INDEX=https://download.pytorch.org/whl/cu128 .
#   docker run --read-only --tmpfs /tmp --volume data:/data --publish 7860:7860 \
#       --cap-drop ALL --security-opt no-new-privileges which-picture-is-right
#
# podman and buildah build it, too; with `--format docker` they keep the health check.
# Add `--gpus all` for a GPU, and `--env TRUSTED_HOSTS=page.example.org` behind a proxy.

# The index of all architectures as it was in August 2026; .github/dependabot.yml renews it.
FROM python:3.12-slim@sha256:78387bc3881b8273120a12ebe6c1ab22b018ccc2c9adf565ae1ac9b536e184ea

# The wheels of torch: without CUDA by default, several GB smaller.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu

WORKDIR /app
COPY requirements.txt constraints.txt .
RUN pip install --no-cache-dir --extra-index-url "$TORCH_INDEX" -r requirements.txt -c constraints.txt

COPY . .
RUN python -m compileall -q . \
    && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin page \
    && mkdir /data && chown page /data

USER page
VOLUME /data
ENV HOST=0.0.0.0 PORT=7860 DATA=/data/visitors HF_HOME=/data/hub XDG_CACHE_HOME=/data/cache \
    MPLCONFIGDIR=/data/cache PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
EXPOSE 7860
HEALTHCHECK --start-period=60s \
    CMD python -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:7860/healthz', timeout=3)"
CMD ["python", "app.py"]
