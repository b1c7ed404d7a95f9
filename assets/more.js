// The line that says what is set, and opens and closes the fields below it.

let open = false;

function show() {
  element.querySelector("button").setAttribute("aria-expanded", String(open));
}

element.addEventListener("click", (event) => {
  if (!event.target.closest("button")) return;
  open = !open;
  show();
});
watch("value", show);
