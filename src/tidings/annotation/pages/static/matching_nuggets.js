// The list of nuggets: likely ones, those used lately, and all; or what a search finds. Numbers 1-9 are of what stands
// in the list: 1-5 are kept for likely nuggets and 6-9 for the latest, so that none moves while the list is filled.
const box = document.getElementById("nuggets");
const search = document.getElementById("search");

let nuggets = [];
let byId = new Map();
let likely = [];
let isGuessed = false;
let latest = [];
let pressed = new Set();
let quote = () => "";
let take = () => {};
let numbered = new Map();
let first = 0;
const few = box.querySelector(".few");
const every = box.querySelector(".every");
const BLOCK = 40;

const plain = (words) => words.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

export const nugget = (id) => byId.get(id);
export const digit = (number) => numbered.get(number)?.();

export function begin(given) {
  ({ quote, take } = given);
  setNuggets(given.nuggets);
}

export function setNuggets(list) {
  nuggets = list.map((one) => ({ ...one, plain: plain(`${one.text} ${one.id}`) }));
  byId = new Map(nuggets.map((one) => [one.id, one]));
  const title = document.createElement("h3");
  title.textContent = `All ${nuggets.length}, by time`;
  const blocks = [];
  for (let from = 0; from < nuggets.length; from += BLOCK) {
    const block = document.createElement("ol");
    block.append(...nuggets.slice(from, from + BLOCK).map((one) => row(one)));
    blocks.push(block);
  }
  every.replaceChildren(title, ...blocks);
  draw();
}

// null: they are not known yet.
export function setLikely(list) {
  isGuessed = list !== null;
  quoted = -1;
  likely = (list ?? []).filter((one) => byId.has(one.nugget)).slice(0, 5);
  draw();
}

export function setPressed(ids) {
  pressed = new Set(ids);
  for (const button of box.querySelectorAll("button")) mark(button);
}

let quoted = -1;

// The words of the next suggestion, to be selected; null where there are none.
export function nextQuoted() {
  if (!likely.length) return null;
  quoted = (quoted + 1) % likely.length;
  const { start, end } = likely[quoted];
  return { start, end };
}

export function used(id) {
  latest = [id, ...latest.filter((one) => one !== id)].slice(0, 4);
}

const mark = (button) => button.setAttribute("aria-pressed", String(pressed.has(button.dataset.id)));

function row(one, { number = 0, span = null, assisted = "" } = {}) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.id = one.id;
  const cap = document.createElement(number ? "kbd" : "span");
  if (number) cap.textContent = number;
  const text = document.createElement("span");
  text.textContent = one.text;
  const more = document.createElement("small");
  more.textContent = one.importance < 0 ? "" : "●".repeat(one.importance) + "○".repeat(Math.max(3 - one.importance, 0));
  more.title = one.importance < 0 ? one.id : `importance ${one.importance} of 3, ${one.id}`;
  button.append(cap, text, more);
  const words = document.createElement("q");
  if (span) {
    words.textContent = quote(span.start, span.end);
    words.title = "Match these words alone";
    button.append(words);
  }
  const act = () => take(one.id, null, assisted);
  button.addEventListener("click", (event) => (event.target === words ? take(one.id, span, assisted) : act()));
  if (number) numbered.set(number, act);
  mark(button);
  item.append(button);
  return item;
}

function section(words, items, none = "") {
  const title = document.createElement("h3");
  title.textContent = words;
  const list = document.createElement("ol");
  list.append(...items);
  const parts = [title, list];
  if (!items.length && none) {
    list.remove();
    const empty = document.createElement("p");
    empty.className = "empty";
    empty.textContent = none;
    parts[1] = empty;
  }
  return parts;
}

function results() {
  const wanted = plain(search.value).split(/\s+/).filter(Boolean);
  const found = nuggets.filter((one) => wanted.every((word) => one.plain.includes(word)));
  const begins = (one) => wanted.filter((word) => ` ${one.plain}`.includes(` ${word}`)).length;
  return found.map((one) => [begins(one), one]).sort((a, b) => b[0] - a[0]).map(([, one]) => one);
}

function draw() {
  numbered = new Map();
  if (search.value.trim()) {
    const found = results();
    first = Math.min(first, Math.max(found.length - 1, 0));
    const items = found.slice(0, 60).map((one, at) => row(one, { number: at < 9 ? at + 1 : 0 }));
    items[first]?.firstChild.classList.add("first");
    const words = found.length === 1 ? "1 nugget" : `${found.length} nuggets`;
    few.replaceChildren(...section(words, items, "No matching nuggets."));
    every.hidden = true;
    return;
  }
  const guessed = likely.map((one, at) => row(byId.get(one.nugget), { number: at + 1, span: one, assisted: "likely" }));
  const recent = latest.filter((id) => byId.has(id)).map((id, at) => row(byId.get(id), { number: at + 6 }));
  every.hidden = false;
  few.replaceChildren(
    ...section("Suggested nuggets", guessed, isGuessed ? "No suggestions." : "…"),
    ...(recent.length ? section("Recently used", recent) : []),
  );
}

export function searchAgain() {
  first = 0;
  box.scrollTop = 0;
  draw();
}

export function clearSearch() {
  search.value = "";
  search.dispatchEvent(new Event("input"));
}

search.addEventListener("input", searchAgain);
search.addEventListener("keydown", (event) => {
  if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
  const behindLetter = /\p{L}$/u.test(search.value) && search.selectionStart === search.value.length;
  if (/^[1-9]$/.test(event.key) && behindLetter && numbered.has(Number(event.key))) digit(Number(event.key));
  else if (event.key === "Enter") {
    if (search.value.trim()) box.querySelector(".first")?.click();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    first = Math.max(first + (event.key === "ArrowDown" ? 1 : -1), 0);
    draw();
    box.querySelector(".first")?.scrollIntoView({ block: "nearest" });
  } else if (event.key === "Escape") {
    clearSearch();
    document.getElementById("text").focus({ preventScroll: true });
  } else return;
  event.preventDefault();
  event.stopPropagation();
});
