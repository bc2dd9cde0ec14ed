// The form that answers a decision: what is chosen, which things, how many locomotives.
"use strict";

(() => {
  const find = (selector, within) => within.querySelector(selector);
  const all = (selector, within) => [...within.querySelectorAll(selector)];
  const THING = '.things input[type="checkbox"]';

  const chosenIn = (form) => find('input[name="choice"]:checked, input[name="choice"][type="hidden"]', form);

  const ticked = (entry) => all('input[type="checkbox"]:checked', entry);

  // Ticking a thing chooses its entry, and unticks the things of all others.
  const pick = (input) => {
    const form = input.form;
    const entry = input.closest(".things");
    if (input.matches(THING)) {
      const radio = find('input[type="radio"]', entry);
      if (radio) radio.checked = true;
    }
    for (const other of all(THING, form)) {
      if (other.closest(".things") !== entry) other.checked = false;
    }
    const select = form.elements.locomotives;
    if (input.name === "choice" && select) select.value = "";
    show(form);
  };

  // Say in the confirm bar what is chosen.
  const show = (form) => {
    const input = chosenIn(form);
    const line = find("[data-chosen]", form);
    offer(form, input);
    line.dataset.chosen ||= line.textContent; // at first nothing is chosen
    if (!input) {
      line.textContent = line.dataset.chosen;
      return;
    }
    const entry = input.closest(".entry");
    const title = entry ? find("legend", entry).textContent : "";
    line.textContent =
      entry && entry.matches(".things") ? withThings(title, entry) : sentence(title, [labelOf(input)]);
  };

  const sentence = (title, labels) =>
    [title, labels.filter((label) => label !== title).join(", ")].filter(Boolean).join(": ");

  const withThings = (title, entry) =>
    [sentence(title, ticked(entry).map(labelOf)), missing(entry)].filter(Boolean).join(". ");

  const labelOf = (input) => find("span:not(.train, .letter, .name)", input.parentElement).textContent;

  // The sentence that says how many things to choose, if the number is wrong; otherwise empty.
  const missing = (entry) => {
    const { least, most } = entry.dataset;
    const number = ticked(entry).length;
    return number < least || number > most ? find(".how-many", entry).textContent : "";
  };

  // Offer more locomotives only where the chosen way can be paid with more.
  const offer = (form, input) => {
    const select = form.elements.locomotives;
    if (!select) return;
    const range = input && input.dataset.locomotives;
    const [fewest, most] = range ? range.split(" ").map(Number) : [0, 0];
    for (const option of select.options) {
      const number = Number(option.value);
      option.hidden = option.disabled = option.value !== "" && (number <= fewest || number > most);
    }
    if (select.selectedOptions[0].disabled) select.value = "";
    select.parentElement.hidden = !range;
  };

  // If the chosen entry has the wrong number of things: focus it, and return that sentence.
  const unfinished = (form) => {
    const input = chosenIn(form);
    const entry = input && input.closest(".things");
    if (!entry || !missing(entry)) return "";
    find('input[type="checkbox"]', entry).focus();
    return missing(entry);
  };

  // Choose nothing of these ways any more.
  const drop = (ways) => {
    const form = ways.closest("form");
    for (const input of all('input[name="choice"]', ways)) input.checked = false;
    show(form);
  };

  // What has to be chosen again after the form was replaced by a newer one.
  const chosen = (form) => {
    const input = chosenIn(form);
    const things = all(`${THING}:checked`, form).map((thing) => [thing.name, thing.value]);
    const select = form.elements.locomotives;
    return { choice: input && input.value, things, locomotives: select && select.value };
  };

  const choose = (form, kept) => {
    const same = all('input[name="choice"]', form).find((input) => input.value === kept.choice);
    if (same) same.checked = true;
    for (const thing of all(THING, form)) {
      if (kept.things.some(([name, value]) => name === thing.name && value === thing.value)) thing.checked = true;
    }
    const select = form.elements.locomotives;
    if (kept.locomotives && select) select.value = kept.locomotives;
  };

  self.nightmail.choosing = { pick, show, drop, unfinished, chosen, choose };
})();
