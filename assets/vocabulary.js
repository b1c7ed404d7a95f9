// A click on a word of the vocabulary puts it at the end of the prompt.

element.addEventListener("click", (event) => {
  const word = event.target.closest("button.word");
  const field = document.querySelector("#prompt textarea");
  if (!word || !field) return;
  const before = field.value.trim();
  field.value = before ? `${before} ${word.dataset.word}` : word.dataset.word;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
});
