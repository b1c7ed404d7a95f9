// While a step takes long, and the server has no news, the seconds of its line go on.
const told = new WeakMap();

function count() {
  for (const each of document.querySelectorAll(".status .seconds")) {
    const shown = each.textContent;
    if (told.get(each) === shown) each.textContent = `${parseInt(shown) + 1} s`;
    told.set(each, each.textContent);
  }
}

setInterval(count, 1000);
