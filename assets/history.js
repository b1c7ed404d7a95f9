// The history as a strip of links: the server sends each run that has finished, and this browser
// alone keeps the list.

const PLACE = "which-picture-is-right:runs";
const MOST = 40;
const nav = element.querySelector(".history");
const list = nav.querySelector("ol");
let entries = [];

function load() {
  try {
    const found = JSON.parse(window.localStorage.getItem(PLACE));
    return Array.isArray(found) ? found.filter((each) => typeof each?.address === "string") : [];
  } catch {
    return []; // written by somebody else, or forbidden
  }
}

function keep(changed) {
  entries = changed.slice(0, MOST);
  try {
    window.localStorage.setItem(PLACE, JSON.stringify(entries));
  } catch {
    // forbidden or full: kept as long as the page is open
  }
  draw();
}

function make(tag, settings, ...inside) {
  const made = Object.assign(document.createElement(tag), settings);
  made.append(...inside);
  return made;
}

function card(entry) {
  const small = String(entry.thumbnail).startsWith("data:image/jpeg;base64,");
  const image = small ? make("img", { src: entry.thumbnail, alt: "" }) : make("span");
  const first = typeof entry.first === "number" ? `#1 ${entry.first.toFixed(2)}` : "no score";
  const words = make("span", { className: "past-prompt", textContent: entry.prompt });
  const score = make("span", { className: "past-score", textContent: first });
  const text = make("span", { className: "past-text" }, words, score);
  const link = make("a", { href: `?${entry.address}`, title: entry.prompt }, image, text);
  const forget = make("button", { type: "button", className: "forget", textContent: "×" });
  forget.setAttribute("aria-label", `delete from the history: ${entry.prompt}`);
  forget.dataset.address = entry.address;
  return make("li", {}, link, forget);
}

function draw() {
  nav.hidden = !entries.length;
  list.replaceChildren(...entries.map(card));
}

watch("value", () => {
  if (!props.value) return;
  const run = JSON.parse(props.value);
  keep([run, ...load().filter((each) => each.address !== run.address)]);
});

// A click is a load of that address, by whoever listens to Back and Forward; other clicks, as into
// another window, are the browser's own.
function open(event) {
  const link = event.target.closest("a");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  const query = new URLSearchParams(new URL(link.href).search);
  for (const [name, value] of new URLSearchParams(window.location.search)) {
    if (name.startsWith("__") || name.includes(".")) query.append(name, value); // of other tabs
  }
  window.history.pushState(null, "", `?${query}`);
  window.dispatchEvent(new PopStateEvent("popstate"));
}

function forget(event) {
  const { address } = event.target.closest(".forget")?.dataset ?? {};
  if (address) keep(load().filter((each) => each.address !== address));
}

function forgetAll() {
  if (window.confirm("Delete all runs of this history?")) keep([]);
}

element.addEventListener("click", open);
list.addEventListener("click", forget);
list.addEventListener("focusin", ({ target }) => {
  if (target.matches(":focus-visible")) target.closest("li").scrollIntoView({ block: "nearest" }); // under a click nothing moves
});
nav.querySelector(".forget-all").addEventListener("click", forgetAll);
entries = load();
draw();
