// The address bar follows what the page shows; Back, Forward, reload and links are asked of the
// server. The value is the query of what is shown, written by the server alone. A page without a query
// shows what it opened with: `home`. A grid is asked for where its tab, the first, is open.

const canonical = (query) => {
  const known = [...new URLSearchParams(query)].filter(([name]) => props.names.includes(name));
  return new URLSearchParams(known);
};
const now = () => new URLSearchParams(window.location.search);
const home = String(canonical(props.value));
const shown = () => (now().has("prompt") ? String(canonical(window.location.search)) : home);
const sameRun = (one, other) => {
  const [left, right] = [new URLSearchParams(one), new URLSearchParams(other)];
  return props.run.every((name) => left.get(name) === right.get(name));
};
let latest = home; // what the server was asked for, or said, last

function go(query, anew) {
  const whole = new URLSearchParams(query);
  for (const [name, value] of now()) {
    if (!props.names.includes(name)) whole.append(name, value);
  }
  const method = anew ? "pushState" : "replaceState";
  if (`?${whole}` !== window.location.search) window.history[method](null, "", `?${whole}`);
}

function follow() {
  offer();
  const query = String(canonical(props.value));
  if (!query || query === shown()) return;
  go(query, !sameRun(query, shown()));
  latest = query;
}

function visit() {
  openTab();
  const query = shown();
  const first = slug(tabs()[0]);
  if (!query || query === latest || (asked() ?? first) !== first) return;
  latest = query;
  trigger("visit", { query });
}

// Tabs, by their names in small letters.

const tabs = () => [...(document.querySelector('[role="tablist"]')?.querySelectorAll('[role="tab"]') ?? [])];
const slug = (tab) => tab?.textContent.trim().toLowerCase().replace(/\s+/g, "-");
const asked = () => now().get("tab")?.replace("your-pictures", "your-images"); // as older links have it
const openedTab = () => slug(tabs().find((each) => each.getAttribute("aria-selected") === "true"));

function openTab() {
  const wanted = asked() ?? slug(tabs()[0]);
  if (wanted === openedTab()) return;
  const tab = tabs().find((each) => slug(each) === wanted);
  return tab ? tab.click() : openFromMenu(wanted);
}

function openFromMenu(wanted, patience = 40) { // where the window is narrow, tabs without room are in a menu
  const listed = [...document.querySelectorAll(".overflow-dropdown button")];
  const tab = listed.find((each) => slug(each) === wanted);
  if (tab) tab.click();
  else if (patience) setTimeout(() => openFromMenu(wanted, patience - 1), 50);
}

function followTab() {
  const opened = openedTab();
  const query = now();
  if (!opened || opened === (asked() ?? slug(tabs()[0]))) return;
  query.delete("tab");
  if (opened !== slug(tabs()[0])) query.set("tab", opened);
  const written = String(query);
  window.history.pushState(null, "", written ? `?${written}` : window.location.pathname);
  visit();
}

function linked() {
  return shown() || String(canonical(props.value));
}

document.addEventListener("click", (event) => {
  if (event.target.closest?.('[role="tab"], .overflow-menu')) setTimeout(followTab, 50);
});
window.addEventListener("popstate", visit);
watch("value", follow);
offer();
setTimeout(visit); // once the page is there
