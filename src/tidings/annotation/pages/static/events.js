// Each judge's list of events: the stories are read, and what is important is listed.
import { act, draft, onAnswer, pageData, toast } from "./acts.js";
import { element } from "./elements.js";
import { Reading, chip, loadedAgain, settled } from "./event_reading.js";
import { key } from "./keys.js";
import { noteKey } from "./notes.js";
import { fromField, toField, when } from "./times.js";

const data = pageData();
const at = (id) => document.getElementById(id);
const [form, text, time, list, cancel, submit] = ["event-form", "event-text", "event-time", "own-events", "event-cancel", "event-submit"].map(at);
let events = data.events;
const waiting = new Map();
let edited = null;
const kept = draft(text, `event:${location.pathname}`);

const reading = new Reading(at("stories"), pageData("documents"), (sentence) => {
  if (!edited) time.value = toField(sentence.story.time);
});

function place(one) {
  return [one.time ?? Infinity, one.id.length, one.id];
}

function later(one, other) {
  const [left, right] = [place(one), place(other)];
  for (const n of [0, 1, 2]) if (left[n] !== right[n]) return left[n] < right[n] ? -1 : 1;
  return 0;
}

function render() {
  const shown = [...events, ...waiting.values()].sort(later);
  list.replaceChildren(...shown.map(item));
  at("event-count").textContent = shown.length;
  for (const { chips } of reading.sentences) if (chips.childElementCount) chips.replaceChildren();
  for (const one of shown) {
    const chips = reading.byId.get(one.sentence)?.chips;
    if (chips && !chips.childElementCount) chips.append(chip("event", one.text));
  }
}

function item(one) {
  const words = element("span", { className: "words", textContent: one.text });
  const row = element("li", { className: "event-row" }, words, element("span", { className: "time", textContent: when(one.time) || "no time" }));
  if (!one.id) {
    row.append(element("span", { className: "time", textContent: "being saved" }));
    return row;
  }
  const buttons = element("span", { className: "buttons" });
  if (reading.byId.has(one.sentence)) {
    buttons.append(element("button", { type: "button", className: "quiet", textContent: "Sentence", onclick: () => reading.go(reading.byId.get(one.sentence).number) }));
  }
  buttons.append(
    element("button", { type: "button", className: "quiet", textContent: "Change", onclick: () => edit(one) }),
    element("button", { type: "button", className: "quiet", textContent: "Remove", onclick: () => act(`${data.api}/events/${encodeURIComponent(one.id)}/remove`) }),
  );
  for (const button of buttons.children) button.setAttribute("aria-label", `${button.textContent}: ${one.text}`);
  row.append(buttons);
  return row;
}

function edit(one) {
  edited = one;
  text.value = one.text;
  time.value = toField(one.time);
  submit.textContent = "Change event";
  cancel.hidden = false;
  text.focus();
}

function leave() {
  edited = null;
  kept.forget();
  text.value = "";
  submit.textContent = "Add event";
  cancel.hidden = true;
  if (reading.sentence) reading.go(reading.current);
}

async function send(path, body, shown) {
  const answered = act(path, body);
  if (shown) {
    const mark = Symbol("waiting");
    waiting.set(mark, { id: "", ...shown });
    render();
    await answered;
    waiting.delete(mark);
    render();
  }
}

function fromSentence() {
  const sentence = reading.sentence;
  if (!sentence || at("from-sentence").disabled) return;
  if ([...events, ...waiting.values()].some((one) => one.sentence === sentence.id && one.text === sentence.text.split(/\s+/).filter(Boolean).join(" "))) {
    toast("This sentence is already in your list.");
    return;
  }
  send(`${data.api}/events`, { sentence: sentence.id }, { text: sentence.text, time: sentence.story.time, sentence: sentence.id });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const words = text.value.trim();
  if (!words) return;
  const body = { text: words, time: fromField(time.value) };
  if (edited) send(`${data.api}/events/${encodeURIComponent(edited.id)}/change`, body);
  else send(`${data.api}/events`, body, body);
  leave();
});
text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit();
  } else if (event.key === "Escape") leave();
});
cancel.addEventListener("click", leave);
at("from-sentence").addEventListener("click", fromSentence);
at("undo").addEventListener("click", undo);

function undo() {
  act(`${data.api}/undo`, { task: "events" });
}

async function refresh() {
  const state = await settled(`${data.api}/events`);
  if (!state) return;
  events = state.events;
  render();
}

onAnswer(async ({ ok, data: answer, path }) => {
  if (!path.startsWith(`${data.api}/`)) return;
  if (!ok) {
    await refresh();
  } else {
    for (const one of answer.objects) {
      if (one.kind !== "event") continue;
      events = events.filter(({ id }) => id !== one.id);
      if (one.value) events.push({ id: one.id, ...one.value });
    }
  }
  render();
});

reading.keys(at("search"), at("found"), "/");
key("Enter", "make an event of this sentence", fromSentence);
key("e", "write an event in your own words; Enter adds it, Esc cancels", () => text.focus());
key("u", "undo", undo);
noteKey(() => reading.sentence && { kind: "sentence", id: reading.sentence.id, text: reading.sentence.text });
render();
reading.begin();
if (loadedAgain()) refresh();
