// The entities of a day: one is current; a key or a click grades it and goes on to the next that is not judged.
import { act, onAnswer, pageData, toast } from "./acts.js";
import { key, stepKeys } from "./keys.js";
import { noteKey } from "./notes.js";

const data = pageData();
const short = data.form === "short";
const cards = [...document.querySelectorAll(".entity")];
const state = new Map(Object.entries(data.items ?? {}));
const pending = new Map();
const begun = (id) => `tidings-draft:answer:${data.api}:${id}`;
let current = -1;

const isOf = (card) => state.get(card.dataset.item);
const judged = (card) => Boolean(isOf(card).value) && !isOf(card).again;

function paint(card) {
  const { value } = isOf(card);
  const half = short && !value ? JSON.parse(localStorage.getItem(begun(card.dataset.item)) ?? "{}") : {};
  const said = value ?? half;
  for (const button of card.querySelectorAll("button")) {
    const { grade, sentence, important } = button.dataset;
    const on = grade ? said.grade === +grade : sentence ? said.sentence === +sentence : said.important === (important === "y");
    button.setAttribute("aria-pressed", on ? "true" : "false");
  }
  card.classList.toggle("judged", judged(card));
}

function count() {
  const done = cards.filter(judged).length;
  const box = document.getElementById("count");
  if (box) box.textContent = done === cards.length ? `All ${done} of this day are judged.` : `${done} of ${cards.length} judged`;
  const day = document.getElementById("day-count");
  if (day && cards.length) day.textContent = `${done + data.decided} of ${cards.length + data.others}`;
  const back = document.getElementById("give-back");
  if (back) back.hidden = done === cards.length;
}

function choose(at, { focus = true } = {}) {
  if (!cards.length) return;
  cards[current]?.classList.remove("current");
  current = Math.max(0, Math.min(cards.length - 1, at));
  cards[current].classList.add("current");
  if (!focus) return;
  cards[current].focus({ preventScroll: true });
  cards[current].scrollIntoView({ block: "nearest" });
}

function goOn() {
  const after = [...cards.keys()].slice(current + 1).find((at) => !judged(cards[at]));
  const next = after ?? cards.findIndex((card) => !judged(card));
  if (next >= 0) choose(next);
  else document.getElementById("following")?.scrollIntoView({ block: "nearest" });
}

// The screen changes at once; what the server answers has the last word.
function send(card, path, body, value) {
  const item = card.dataset.item;
  const waits = pending.get(item) ?? 0;
  pending.set(item, waits + 1);
  const { version } = isOf(card);
  state.set(item, { version, value });
  paint(card);
  count();
  card.querySelector(".state").textContent = "";
  return act(`${data.api}/entities/${path}`, { item, ...body, ...(waits ? {} : { version }) });
}

function grade(card, number) {
  send(card, "grade", { grade: number }, { grade: number });
  choose(cards.indexOf(card));
  goOn();
}

function answer(card, part) {
  const item = card.dataset.item;
  const kept = isOf(card).value ?? JSON.parse(localStorage.getItem(begun(item)) ?? "{}");
  const value = { ...kept, ...part };
  choose(cards.indexOf(card));
  if (value.sentence === undefined || value.important === undefined) {
    localStorage.setItem(begun(item), JSON.stringify(value));
    paint(card);
    return;
  }
  localStorage.removeItem(begun(item));
  send(card, "answer", value, value);
  goOn();
}

function apply(object) {
  const card = cards.find((one) => one.dataset.item === object.id);
  if (!card || object.kind !== (short ? "answer" : "grade")) return null;
  state.set(object.id, { version: object.version, value: object.value });
  paint(card);
  count();
  return card;
}

onAnswer(({ ok, status, data: said, body, path }) => {
  if (!path.startsWith(`${data.api}/`)) return;
  if (body.item) pending.set(body.item, Math.max(0, (pending.get(body.item) ?? 1) - 1));
  if (ok) {
    const objects = said.objects ?? [];
    // While more is on its way for an item, its answer is not the last.
    const shown = objects.filter((one) => !pending.get(one.id)).map(apply).filter(Boolean);
    for (const one of objects) if (state.has(one.id)) state.get(one.id).version = one.version;
    if (path.endsWith("/undo")) shown.length ? choose(cards.indexOf(shown[0])) : objects.length && toast("Undone on another page.");
    return;
  }
  const card = cards.find((one) => one.dataset.item === body.item);
  if (!card || pending.get(body.item)) return;
  const there = status === 409 ? said.current : null;
  const ours = there && there.id === body.item && there.layer !== "final";
  state.set(body.item, ours ? { version: there.version, value: there.value } : { ...isOf(card), value: null });
  paint(card);
  count();
  card.querySelector(".state").textContent = said.message ?? "Not saved.";
});

async function changeDay(path) {
  const { ok } = await act(`${data.api}/entities/${path}`, { date: data.day, form: data.form });
  if (ok) location.reload();
}
const to = (day) => () => (day ? location.assign(`${data.path}?day=${day}&form=${data.form}`) : toast("There are no more days."));
const onCurrent = (doing) => () => current >= 0 && doing(cards[current]);

for (const card of cards) {
  card.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return choose(cards.indexOf(card), { focus: false });
    const { grade: number, sentence, important } = button.dataset;
    if (number) grade(card, +number);
    else answer(card, sentence ? { sentence: +sentence } : { important: important === "y" });
  });
  card.addEventListener("focusin", () => choose(cards.indexOf(card), { focus: false }));
}
const takeIt = document.getElementById("take");
takeIt?.addEventListener("click", () => changeDay("take"));
document.getElementById("give-back")?.addEventListener("click", () => changeDay("give-back"));
document.getElementById("following")?.addEventListener("click", to(data.following));

if (short) {
  const words = ["the sentence is clearly not about the event", "the sentence may be about the event", "the sentence is clearly about the event"];
  words.forEach((meaning, at) => key(`${at + 1}`, meaning, onCurrent((card) => answer(card, { sentence: at + 1 }))));
  key("y", "the entity is important in it", onCurrent((card) => answer(card, { important: true })));
  key("x", "the entity is not important in it", onCurrent((card) => answer(card, { important: false })));
} else {
  const words = ["unrelated", "related, nothing new", "new, minor role", "new, main role"];
  words.forEach((meaning, at) => key(`${at + 1}`, meaning, onCurrent((card) => grade(card, at + 1))));
}
stepKeys("next entity", "previous entity", (by) => choose(current + by));
key("u", "undo", () => void act(`${data.api}/undo`, { task: "entities" }));
noteKey(() => (current < 0 ? null : { kind: "day-entity", id: cards[current].dataset.item }));
key("Enter", "take this day", () => (takeIt ? takeIt.click() : false));
key("d", "next day", to(data.following));
key("D", "previous day", to(data.preceding));

cards.forEach(paint);
count();
const first = cards.findIndex((card) => !judged(card));
choose(Math.max(first, 0), { focus: cards.length > 0 && !takeIt });
