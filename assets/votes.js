// Votes of the blind mode and what was revealed, kept in this browser alone, those of several windows
// together. The server sends all it knows after each vote, or that they are to be forgotten; it is
// told of those that are kept when the page opens, when another window has changed them, and when
// they are not what it sent: of two votes on the same two grids the first is kept.

const VOTES = "which-picture-is-right:votes";
const SEEN = "which-picture-is-right:seen";
const NAME = "which-picture-is-right:name";

function stored(place) {
  try {
    return JSON.parse(window.localStorage.getItem(place)) ?? [];
  } catch {
    return []; // written by somebody else, or forbidden
  }
}

const pair = ({ prompt, first, second }) => JSON.stringify([prompt, ...[first, second].sort()]);
const same = (some, others) => some.length === others.length
  && some.every(({ id }) => others.some((each) => each.id === id));

function merged(votes) {
  const pairs = new Map();
  for (const each of votes) if (!pairs.has(pair(each))) pairs.set(pair(each), each);
  const texts = [...pairs.values()].map((each) => JSON.stringify(each)).slice(-props.votes);
  const bytes = () => new TextEncoder().encode(texts.join(", ")).length;
  while (bytes() >= props.characters) texts.shift();
  return `[${texts.join(", ")}]`;
}

function keep({ votes, seen, name }) {
  const all = [...new Set([...stored(SEEN), ...seen])].slice(-props.seen);
  window.localStorage.setItem(VOTES, merged([...stored(VOTES), ...votes]));
  window.localStorage.setItem(SEEN, JSON.stringify(all));
  window.localStorage.setItem(NAME, JSON.stringify(name));
  if (!same(stored(VOTES), votes)) recall();
}

watch("value", () => {
  try {
    if (props.value.startsWith("forget")) {
      for (const place of [VOTES, SEEN, NAME]) window.localStorage.removeItem(place);
    } else {
      keep(JSON.parse(props.value));
    }
  } catch {
    // forbidden or full: kept as long as the page is open
  }
});

const kept = () => ({ votes: stored(VOTES), seen: stored(SEEN), name: stored(NAME) });
const recall = () => trigger("recall", kept());
const changed = (key) => [VOTES, SEEN, NAME, null].includes(key);
window.addEventListener("storage", (event) => changed(event.key) && recall());
setTimeout(() => Object.values(kept()).some((each) => each.length) && recall()); // once the page is there
