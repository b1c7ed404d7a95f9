// The field for the prompt has the focus on a page that opens without a link, where there is a
// keyboard; and what is typed takes the place of what stands there: a visit selects the old text.

const isPrompt = (event) => event.target.matches?.("#prompt textarea");
let visited = false; // and nothing was selected or written since

document.addEventListener("focusin", (event) => {
  if (!isPrompt(event)) return;
  visited = true;
  if (!event.target.matches(":active")) select(event);
});
document.addEventListener("click", (event) => isPrompt(event) && select(event));

function select({ target }) {
  if (visited && target.selectionStart === target.selectionEnd) target.select();
  visited = false;
}

setTimeout(() => {
  const keyboard = window.matchMedia("(pointer: fine)").matches;
  const field = document.querySelector("#prompt textarea");
  if (keyboard && !window.location.search) field.focus({ preventScroll: true });
});
