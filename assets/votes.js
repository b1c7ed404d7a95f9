// Votes of the blind mode, kept in this browser alone, those of several windows together. The server
// sends all it knows after each vote, or that they are to be forgotten; it is told of those that are
// kept when the page opens, and when another window has changed them.

const PLACE = "which-picture-is-right:votes";

function kept() {
  try {
    return JSON.parse(window.localStorage.getItem(PLACE)) ?? [];
  } catch {
    return []; // written by somebody else, or forbidden
  }
}

const identity = ({ id, prompt, first, second, preference, differences }) =>
  id || JSON.stringify([prompt, first, second, preference, differences]);

function merged(votes) {
  const all = new Map(votes.map((each) => [identity(each), each]));
  const texts = [...all.values()].map((each) => JSON.stringify(each)).slice(-props.votes);
  const bytes = () => new TextEncoder().encode(texts.join(", ")).length;
  while (bytes() >= props.characters) texts.shift();
  return `[${texts.join(", ")}]`;
}

watch("value", () => {
  try {
    if (props.value.startsWith("forget")) window.localStorage.removeItem(PLACE);
    else window.localStorage.setItem(PLACE, merged([...kept(), ...JSON.parse(props.value)]));
  } catch {
    // forbidden or full: kept as long as the page is open
  }
});

const recall = () => trigger("recall", { votes: kept() });
window.addEventListener("storage", (event) => [PLACE, null].includes(event.key) && recall());
setTimeout(() => kept().length && recall()); // once the page is there
