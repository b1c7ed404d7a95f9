// A saved image or report that is dropped anywhere on this tab is opened, as if it had been chosen.

const opening = element.closest(".opening");
const input = () => opening.querySelector("input[type=file]");

// The chooser of the button offers these; whatever else comes is read and refused in a sentence.
opening.addEventListener("click", () => (input().accept = ".png,.json,.zip"), true);

const tab = element.closest("[role=tabpanel]") ?? document.body;
const carriesFiles = (event) => [...event.dataTransfer.types].includes("Files");

tab.addEventListener("dragover", (event) => {
  if (carriesFiles(event)) event.preventDefault();
});

tab.addEventListener("drop", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  input().files = event.dataTransfer.files;
  input().dispatchEvent(new Event("change", { bubbles: true }));
});
