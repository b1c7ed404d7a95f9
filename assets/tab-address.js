// The address bar holds what a tab shows, under names that begin with that of the tab; the value is
// their query, written by the server alone, and empty where the tab is as it opened. A link is asked
// of the server where its tab is open.

const mine = (name) => name.startsWith(`${props.tab}.`);
const now = () => new URLSearchParams(window.location.search);
const own = () => String(new URLSearchParams([...now()].filter(([name]) => mine(name))));
let latest = ""; // what the server was asked for, or said, last

function follow() {
  offer();
  const query = String(new URLSearchParams(props.value));
  if (!query || query === own()) return;
  latest = query;
  const others = [...now()].filter(([name]) => !mine(name) && name !== "tab");
  const whole = [...others, ["tab", props.tab], ...new URLSearchParams(query)];
  window.history.pushState(null, "", `?${new URLSearchParams(whole)}`);
}

function visit() {
  if (!element.isConnected || now().get("tab") !== props.tab || own() === latest) return;
  latest = own();
  trigger("visit", { query: latest });
}

function linked() {
  return `tab=${props.tab}&${props.value}`;
}

document.addEventListener("click", (event) => {
  if (event.target.closest?.('[role="tab"], .overflow-menu')) setTimeout(visit, 100); // after link.js
});
window.addEventListener("popstate", () => setTimeout(visit));
watch("value", follow);
offer();
setTimeout(visit); // once the page is there
