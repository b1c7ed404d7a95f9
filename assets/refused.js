// A run that is refused before it begins is over, which nobody else tells the page: its button can be
// pressed again, and the status line says why, in the words of the server.

const asked = new Set();
const ask = window.fetch;
let said = "";

async function read(answer) {
  const response = await answer;
  if (response.status < 400 || !response.url.includes("/queue/join")) return;
  said = (await response.clone().json()).detail ?? "";
}

window.fetch = (...request) => {
  const answer = ask(...request);
  const done = read(answer).catch(() => {}); // no answer, or one without words
  asked.add(done);
  done.finally(() => asked.delete(done));
  return answer;
};

// What the start button, the stop button and the status line become; a run that was cancelled has no
// refusal. It comes after the answers to other requests, of which one says that the run waits.
window.refused = async (line) => {
  const most = new Promise((later) => setTimeout(later, 1000)); // as some requests last
  await Promise.race([Promise.all(asked), most]);
  if (!said) return [];
  const words = Object.assign(document.createElement("span"), { textContent: said });
  said = "";
  await new Promise((drawn) => setTimeout(drawn, 100));
  const usable = (interactive) => ({ __type__: "update", interactive });
  const told = words.innerHTML.replace(/^./, (first) => first.toUpperCase()).replace(/\.$/, "");
  return [usable(true), usable(false), line.replace("{}", () => told)];
};
