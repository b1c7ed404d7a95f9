// The presentation: one slide on the whole screen. Space and arrows turn, Escape closes; the last
// slide stays. `?present` in the address opens the grid on show, `?present=tour` the tour, which has
// a stand-in while the server prepares it; who closes that wants no tour any more.

let at = 0;
const standIn = element.querySelector(".preparing").cloneNode(true);
const dialog = () => element.querySelector("dialog:not(.preparing)");
const slides = () => [...dialog().querySelectorAll(".slide")];
let asking = false;

function prepare() {
  asking = true;
  element.parentElement.append(standIn); // beside what Gradio draws
  standIn.showModal();
  document.activeElement.blur(); // so that space does not close it
}

document.addEventListener("click", (event) => {
  if (event.target.closest?.("#tour") && !standIn.open) prepare();
  if (event.target.closest?.("#present")) asking = false;
});

function show(step) {
  const all = slides();
  at = Math.max(0, Math.min(step, all.length - 1));
  all.forEach((slide, k) => { slide.hidden = k !== at; });
  element.querySelector(".at").textContent = `${at + 1} of ${all.length}`;
  dialog().querySelector('[data-turn="-1"]').disabled = at === 0;
  dialog().querySelector('[data-turn="1"]').disabled = at === all.length - 1;
}

function turn(step) {
  if (standIn.open) standIn.close();
  else if (step) show(at + step);
  else dialog().close();
}

const KEYS = { " ": 1, ArrowRight: 1, ArrowDown: 1, PageDown: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 };

document.addEventListener("keydown", (event) => {
  if (!dialog()?.open || !(event.key in KEYS)) return;
  if (event.key === " " && event.target.matches("button")) return;
  event.preventDefault();
  turn(KEYS[event.key]);
});

element.parentElement.addEventListener("click", (event) => {
  const button = event.target.closest("[data-turn]");
  if (button) turn(Number(button.dataset.turn));
});

watch("value", () => {
  const unwanted = asking && !standIn.open;
  asking = false;
  standIn.close();
  standIn.remove();
  if (!dialog() || dialog().open || unwanted) return;
  dialog().showModal();
  document.activeElement.blur(); // so that space turns
  show(0);
});

function openFromAddress(asked) {
  const button = document.querySelector(asked === "tour" ? "#tour" : "#present");
  if (button) button.click();
  else setTimeout(() => openFromAddress(asked), 200);
}

const asked = new URLSearchParams(location.search).get("present");
if (asked !== null) openFromAddress(asked);
