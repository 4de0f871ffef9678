// The two dialogs: one to write a nugget (new, changed, or merged of several), one to choose (parts, needs, deleting,
// matches to look at again). What is typed is kept in the browser until it is saved or put aside.
import { draft, pageData } from "./acts.js";
import { textElement } from "./elements.js";
import { fromField, isoTime, stamp } from "./times.js";

const page = pageData();
const editor = document.getElementById("editor");
const choices = document.getElementById("choices");
const kept = `tidings-extraction:${page.topic}`;
const part = (dialog, name) => dialog.querySelector(name);
const toSecondsField = (time) => isoTime(time).slice(0, 19);

let state = null; // what the editor is for: {mode, title, nugget, source, …} and what to do with it
let asking = 0;

function problem(dialog, words) {
  const line = part(dialog, ".problem");
  line.hidden = !words;
  line.textContent = words ?? "";
}

const form = () => editor.querySelector("form").elements;

function read() {
  const fields = form();
  const { value } = fields.importance;
  return { text: fields.text.value, importance: value === "" ? null : Number(value), time: fromField(fields.time.value) };
}

function keep() {
  const { mode, nugget, source, others, expected } = state;
  localStorage.setItem(kept, JSON.stringify({ mode, nugget, source, others, expected, ...read() }));
}

// Write a nugget. `given`: {mode, title, text, importance, time, nugget, source, lines, theirs}; `save` gets what was
// written and says what became of it: "" where it is on its way, else why not.
export function edit(given, save) {
  state = { ...given, save };
  part(editor, "h2").textContent = given.title;
  const fields = form();
  fields.text.value = given.text;
  // What nobody has said yet is asked: no importance is selected, and no time filled in.
  for (const radio of fields.importance) radio.checked = typeof given.importance === "number" && Number(radio.value) === Math.max(given.importance, 0);
  fields.time.value = typeof given.time === "number" ? toSecondsField(given.time) : "";
  part(editor, ".merging").replaceChildren(...(given.lines ?? []).map((words) => textElement("li", words)));
  part(editor, ".alike").replaceChildren();
  problem(editor, given.problem);
  showTheirs(given.theirs, given.useTheirs);
  if (!editor.open) editor.showModal();
  fields.text.focus();
  fields.text.select();
  lookAlike();
  if (given.typed) keep();
}

export const editing = () => (editor.open ? state?.nugget : null);

export function showTheirs(value, words = "Someone changed this in the meantime. Current version:") {
  const box = part(editor, ".theirs");
  box.hidden = !value;
  if (!value) return;
  const line = textElement("p", words);
  const theirs = textElement("p", `${value.text} (importance ${value.importance}, ${stamp(value.time)})`);
  const take = textElement("button", "Use that version", { type: "button" });
  take.addEventListener("click", () => {
    form().text.value = value.text;
    form().importance.value = String(Math.max(value.importance, 0));
    form().time.value = toSecondsField(value.time);
    keep();
  });
  box.replaceChildren(line, theirs, take, textElement("span", " or save yours instead."));
}

// What was being written when the page was left.
export function leftOpen() {
  try {
    return JSON.parse(localStorage.getItem(kept) ?? "null");
  } catch {
    return null;
  }
}

export function forget() {
  localStorage.removeItem(kept);
}

async function lookAlike() {
  const [mine, text] = [++asking, form().text.value.trim()];
  await new Promise((resolve) => setTimeout(resolve, 250));
  if (mine !== asking || state?.mode === "merge") return;
  const found = text ? await state.alike(text) : [];
  if (mine !== asking || !editor.open) return;
  part(editor, ".alike").replaceChildren(...found.flatMap((one) => {
    const go = textElement("button", "Show it", { type: "button" });
    go.addEventListener("click", () => {
      state.go(one);
      close(editor);
    });
    return [textElement("span", `Already there? ${one.id}: ${one.text}`), go, textElement("br", "")];
  }));
}

function close(dialog) {
  if (dialog === editor) forget();
  dialog.close();
}

for (const dialog of [editor, choices]) {
  part(dialog, ".cancel").addEventListener("click", () => close(dialog));
  dialog.addEventListener("cancel", () => { if (dialog === editor) forget(); });
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey || (event.target.matches("input:not([type=checkbox])") && dialog === editor))) {
      event.preventDefault();
      part(dialog, "form").requestSubmit();
    }
  });
}

editor.addEventListener("input", (event) => {
  keep();
  if (event.target.name === "text") lookAlike();
});
part(editor, "form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const written = read();
  if (!written.text.trim()) return;
  const missing = written.importance === null ? "an importance" : written.time === null ? "the time when it was first known" : "";
  if (missing) return problem(editor, `Choose ${missing}.`);
  const why = await state.save(written, state);
  if (why) problem(editor, why);
  else close(editor);
});

let answer = null;

// Choose: `given` is {title, lead, body: elements, action}; `save` as above, without anything written.
export function choose(given, save) {
  answer = save;
  part(choices, "h2").textContent = given.title;
  part(choices, ".lead").textContent = given.lead ?? "";
  part(choices, ".body").replaceChildren(...(given.body ?? []));
  part(choices, "button.main").textContent = given.action;
  problem(choices, "");
  if (!choices.open) choices.showModal();
  (part(choices, ".body").querySelector("textarea, input") ?? part(choices, "button.main")).focus();
}

// Whether the dialog is open for this answer.
export const chosen = (save) => choices.open && answer === save;

export function closeChoices() {
  choices.close();
}

part(choices, "form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const why = await answer();
  if (why === null) return;
  if (why) problem(choices, why);
  else close(choices);
});

// A part of a nugget that is split: its text, which survives a reload, and its importance.
export function partFields(name, number, text, importance) {
  const box = textElement("div", "", { className: "part" });
  const label = textElement("label", `Part ${number}`);
  const words = textElement("textarea", "", { rows: 2, maxLength: 2000, required: true });
  const written = draft(words, `split:${page.topic}:${name}:${number}`);
  if (!words.value) words.value = text;
  label.append(words);
  const second = textElement("label", "Importance");
  const select = document.createElement("select");
  for (const [value, word] of [[3, "vital"], [2, "important"], [1, "minor"], [0, "detail"]]) {
    select.append(textElement("option", `${value} ${word}`, { value, selected: value === Math.max(importance, 0) }));
  }
  second.append(select);
  box.append(label, second);
  return { box, text: () => words.value, importance: () => Number(select.value), forget: written.forget };
}

// A text with the spans start..end (in characters) of it marked.
export function marked(text, spans) {
  const chars = [...text];
  const line = document.createElement("p");
  let at = 0;
  for (const [start, end] of [...spans].sort((one, other) => one[0] - other[0])) {
    if (start < at) continue;
    line.append(chars.slice(at, start).join(""), textElement("mark", chars.slice(start, end).join("")));
    at = end;
  }
  line.append(chars.slice(at).join(""));
  return line;
}

export function tick(words, checked) {
  const label = textElement("label", "", { className: "tick" });
  const box = textElement("input", "", { type: "checkbox", checked });
  label.append(box, textElement("span", words));
  return { label, box };
}
