// A search: a click on an attempt opens it, arrows walk from one to the next, a slider cuts before
// from after. The best attempt is open until another is chosen; news are read out once.

let chosen = null; // by the visitor, of this search
let began = ""; // the image of its first attempt
const news = Object.assign(document.createElement("p"), { className: "unseen" });
news.setAttribute("aria-live", "polite");
element.parentElement.append(news); // beside what Gradio draws

const section = () => element.querySelector(".search");
const cards = () => [...element.querySelectorAll(".attempt button")];

function open(number) {
  for (const each of element.querySelectorAll(".opened")) each.hidden = each.dataset.attempt !== String(number);
  for (const each of cards()) each.setAttribute("aria-expanded", String(each.dataset.attempt === String(number)));
}

// Where the button that began it lies below, as on a phone, the search comes into view.
function show() {
  const { top } = section().getBoundingClientRect();
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (top < 0 || top > 0.8 * window.innerHeight) section().scrollIntoView({ behavior: still ? "instant" : "smooth" });
}

function draw() {
  const first = element.querySelector(".attempt img")?.src ?? "";
  if (first !== began) chosen = null;
  began = first;
  const said = section()?.dataset.said ?? "";
  if (news.textContent !== said) news.textContent = said;
  if (said === "The search begins.") show();
  if (section()) open(chosen ?? section().dataset.opened);
  const strip = element.querySelector(".attempts");
  if (!strip || chosen !== null) return;
  const best = cards()[section().dataset.opened]?.closest("li");
  strip.scrollLeft = strip.querySelector(".to-come") || !best ? strip.scrollWidth : best.offsetLeft - strip.offsetLeft;
}

element.addEventListener("click", (event) => {
  const joining = event.target.closest(".join");
  if (joining) trigger("join", { index: Number(joining.dataset.attempt) });
  const card = event.target.closest(".attempt button");
  if (!card) return;
  chosen = card.dataset.attempt;
  open(chosen);
});

element.addEventListener("keydown", (event) => {
  const all = cards();
  const at = all.indexOf(event.target.closest(".attempt button"));
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1 }[event.key];
  if (at < 0 || !all[to]) return;
  event.preventDefault();
  all[to].focus();
  all[to].click();
});

element.addEventListener("input", (event) => {
  event.target.closest(".compared")?.style.setProperty("--cut", `${event.target.value}%`);
});

watch("value", draw);
draw();
