// A saved image or report that is dropped anywhere while this tab is open is read, as if it had been
// chosen.

const opening = element.closest(".opening");
const input = () => opening.querySelector("input[type=file]");

// The chooser of the button offers these; whatever else comes is read and refused in a sentence.
opening.addEventListener("click", () => (input().accept = ".png,.json,.zip"), true);

const tab = element.closest("[role=tabpanel]");
const isMeant = (event) => tab.offsetParent !== null && event.dataTransfer.types.includes("Files");

document.addEventListener("dragover", (event) => {
  if (isMeant(event)) event.preventDefault();
});

document.addEventListener("drop", (event) => {
  if (!isMeant(event)) return;
  event.preventDefault();
  input().files = event.dataTransfer.files;
  input().dispatchEvent(new Event("change", { bubbles: true }));
});
