// Votes of the blind mode, kept in this browser alone. The server sends all of them after each vote,
// and is told of them when the page opens.

const PLACE = "which-picture-is-right:votes";

function kept() {
  try {
    return JSON.parse(window.localStorage.getItem(PLACE)) ?? [];
  } catch {
    return []; // written by somebody else, or forbidden
  }
}

watch("value", () => {
  try {
    window.localStorage.setItem(PLACE, props.value || "[]");
  } catch {
    // forbidden or full: kept as long as the page is open
  }
});

setTimeout(() => kept().length && trigger("recall", { votes: kept() })); // once the page is there
