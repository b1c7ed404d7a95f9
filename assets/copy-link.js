// The button that copies a link; the script that follows says which query it has: `linked()`.

const said = element.querySelector(".copied");
let fading;

function offer() {
  element.querySelector(".share").hidden = !props.value;
}

async function copy() {
  const link = new URL(window.location.pathname, window.location.href);
  link.search = linked();
  try {
    await navigator.clipboard.writeText(link.href);
    said.textContent = "✓ Link copied";
  } catch {
    const field = Object.assign(document.createElement("input"), { readOnly: true, value: link.href });
    field.setAttribute("aria-label", "link to copy");
    said.replaceChildren(field);
    field.select();
    return;
  }
  clearTimeout(fading);
  fading = setTimeout(() => said.replaceChildren(), 5000);
}

element.addEventListener("click", (event) => event.target.closest(".share") && copy());

