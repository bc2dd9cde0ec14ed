// Copies the link of a table to the clipboard.
"use strict";

for (const button of document.querySelectorAll("button[data-copies]")) {
  button.addEventListener("click", async () => {
    const field = document.querySelector("input[data-copy]");
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = button.dataset.done;
    } catch {
      // Not allowed here: the text is selected, and can be copied by hand.
    }
  });
}
