"""What other sites show of a link: own tags in place of Gradio's, and what was typed as text."""

from __future__ import annotations

from starlette.datastructures import URL

from ui.open_graph import GRADIOS, tags, with_tags

GRADIO = b"""<html><head><meta charset="utf-8" />
<meta property="og:url" content="{url}" /><meta
  name="twitter:image"
  content="https://gradio/header.jpg"
/><meta name="viewport" content="x" /></head></html>"""


def test_the_tags_of_a_link_say_what_it_shows():
    found = tags("Page", URL("https://a.example/app/?prompt=a+red+car&grid=1x2&__theme=dark"))
    assert found["og:title"] == "Page: “a red car”"
    assert found["og:description"].startswith("2 images by stickers, ranked")
    assert found["og:image"] == "https://a.example/app/card.png"
    assert found["og:url"].startswith("https://a.example/app/?prompt=a+red+car&grid=1x2&seed=7")
    assert "theme" not in found["og:url"]


def test_the_tags_of_a_link_to_another_tab_say_what_that_shows_and_lead_there():
    query = "prompt=a+dog&tab=compare&compare.prompts=a+red+car%0Aan+owl&compare.b.seed=9"
    found = tags("Page", URL(f"https://a.example/?{query}"))
    assert found["og:title"] == "Page: “a red car”"
    assert found["og:description"].startswith("2 prompts, compared in 2 columns. A prompt is")
    assert found["og:url"].startswith("https://a.example/?tab=compare&compare.prompts=a+red+car")
    assert "compare.b.seed=9" in found["og:url"]
    query = "tab=commonsense&commonsense.first=a+lamp+at+night&commonsense.second=a+lamp+by+day"
    found = tags("Page", URL(f"https://a.example/?{query}"))
    assert found["og:title"] == "Page: “a lamp at night”"
    assert found["og:description"].startswith("Compared with “a lamp by day”. A prompt")
    query = "tab=your-pictures&your-pictures.prompt=two+blue+apples"
    assert tags("Page", URL(f"https://a.example/?{query}"))["og:title"] == "Page: “two blue apples”"


def test_the_page_alone_has_its_own_title_and_address():
    found = tags("Page", URL("http://a.example/"))
    assert (found["og:title"], found["og:url"]) == ("Page", "http://a.example/")


def test_a_prompt_in_a_link_is_text_whatever_it_says():
    url = URL("http://a.example/").replace(query='prompt="><script>alert(1)</script>')
    page = with_tags(GRADIO, tags("Page", url))
    assert b"<script" not in page
    assert b"&lt;script&gt;" in page


def test_gradios_tags_go_and_others_stay():
    page = with_tags(GRADIO, tags("Page", URL("http://a.example/")))
    assert b"{url}" not in page
    assert b"header.jpg" not in page
    assert b'name="viewport"' in page
    assert len(GRADIOS.findall(page)) == 11
