// All judges' lists beside each other; what is the same in them is made one event. Several people may do this at once:
// what is there is asked for again after each act and every few seconds.
import { act, draft, onAnswer, pageData, toast } from "./acts.js";
import { element } from "./elements.js";
import { key, stepKeys } from "./keys.js";
import { noteKey } from "./notes.js";
import { getJson } from "./requests.js";
import { finder } from "./search.js";
import { fromField, toField, when } from "./times.js";

const data = pageData();
const at = (id) => document.getElementById(id);
const [text, time, reason, search] = ["merged-text", "merged-time", "reason", "merged-search"].map(at);
const kept = draft(reason, `left-out:${location.pathname}`);
let state = data;
let current = null; // the name of a judge's event
let proposal = -1;
let proposed = new Set();
let written = false; // whether the words in the form are the visitor's own
let changed = null; // the merged event that is being changed
const marked = new Set();

const nameOf = ({ layer, event }) => `${layer}|${event}`;
const sourceOf = (name) => ({ layer: name.slice(0, name.indexOf("|")), event: name.slice(name.indexOf("|") + 1) });
let all = new Map(); // every judge's event by its name
let partOf = new Map(); // the merged event of which it is part
let reasons = new Map(); // why it is left out

function read(found) {
  state = found;
  all = new Map(state.judges.flatMap((judge) => judge.events.map((one) => [nameOf({ layer: judge.layer, event: one.id }), { ...one, judge }])));
  partOf = new Map(state.merged.flatMap((one) => one.from.map((source) => [nameOf(source), one])));
  reasons = new Map(state.left.map((one) => [nameOf(one), one.reason]));
  for (const name of [...marked]) if (!isOpen(name)) marked.delete(name);
  if (!isOpen(current)) current = open()[0] ?? null;
  if (changed) changed = state.merged.find(({ id }) => id === changed.id) ?? null;
}

const isOpen = (name) => all.has(name) && !partOf.has(name) && !reasons.has(name);
const byTime = (one, other) => (all.get(one).time ?? Infinity) - (all.get(other).time ?? Infinity) || (one < other ? -1 : 1);
const open = () => [...all.keys()].filter(isOpen).sort(byTime);
const chosen = () => (marked.size ? [...marked].sort(byTime) : current ? [current] : []);

function render() {
  at("judges").replaceChildren(...state.judges.map((judge) => column(judge)));
  at("merged").replaceChildren(...state.merged.filter(fits).map(mergedItem));
  at("finished").hidden = !state.finished.length;
  at("finished-lists").replaceChildren(...state.finished.map(({ account, name }) => element("li", {}, `${name} `,
    button("Reopen", name, () => act(`${data.api}/merging/give-back`, { account })))));
  const done = state.total - state.open;
  at("progress").max = Math.max(state.total, 1);
  at("progress").value = done;
  at("progress-text").textContent = `${done} of ${state.total} events done, ${state.open} open`;
  at("merged-count").textContent = state.merged.length;
  at("proposals-text").textContent = state.proposals.length
    ? `${state.proposals.length} proposed: events in similar words` : "No more proposals.";
  at("propose").disabled = !state.proposals.length;
  at("done").hidden = !state.total || state.open > 0;
  fill();
}

function column(judge) {
  const list = element("ol", { className: "list" });
  for (const one of judge.events) list.append(judgesItem(nameOf({ layer: judge.layer, event: one.id }), one));
  return element("section", { className: "judge" }, element("h2", { textContent: judge.name }), list);
}

function judgesItem(name, one) {
  const row = element("li", { className: "event-row" });
  row.dataset.name = name;
  const words = element("span", { className: "words", textContent: one.text });
  const moment = element("span", { className: "time", textContent: when(one.time) || "no time" });
  if (isOpen(name)) {
    const box = element("input", { type: "checkbox", checked: marked.has(name), onchange: () => { go(name, { scroll: false }); mark(name, box.checked); } });
    row.append(element("label", { className: "pick" }, box, words, moment));
    row.classList.toggle("now", name === current);
    if (name === current) row.setAttribute("aria-current", "true");
  } else if (partOf.has(name)) {
    row.classList.add("done");
    row.append(words, moment, element("span", { className: "chip", textContent: `event ${partOf.get(name).id}` }));
  } else {
    row.classList.add("done");
    row.append(words, moment, element("span", { className: "chip none", textContent: `left out: ${reasons.get(name)}` }),
      button("Put back", one.text, () => act(`${data.api}/merging/put-back`, { source: sourceOf(name) })));
  }
  return row;
}

function button(words, about, onclick) {
  const made = element("button", { type: "button", className: "quiet", textContent: words, onclick });
  made.setAttribute("aria-label", `${words}: ${about}`);
  return made;
}

const fits = ({ id, text }) => finder(search.value)(`${id} ${text}`);

function mergedItem(one) {
  const path = `${data.api}/merging/${encodeURIComponent(one.id)}`;
  const row = element("li", { className: "event-row" }, element("b", { textContent: one.id }), " ",
    element("span", { className: "words", textContent: one.text }), element("span", { className: "time", textContent: when(one.time) || "no time" }));
  const parts = element("ul", { className: "parts" });
  for (const source of one.from) {
    const own = all.get(nameOf(source));
    const part = element("li", {}, element("span", { textContent: own ? `${own.judge.name}: ${own.text}` : "an event that is no longer listed" }));
    if (one.from.length > 1) part.append(button("Remove", own?.text ?? "", () => act(`${path}/take-out`, { source, expected: one.version })));
    parts.append(part);
  }
  row.append(parts, element("span", { className: "buttons" },
    button("Add selected", one.text, () => add(one)),
    button("Change", one.text, () => change(one)),
    button("Dissolve", one.text, () => act(`${path}/dissolve`, { expected: one.version }))));
  return row;
}

// The form says what would be made one event, in the words of the first that is chosen until someone writes others.
function fill() {
  const names = chosen();
  at("chosen").textContent = changed ? `Event ${changed.id}` : names.length > 1 ? `${names.length} events selected` : names.length ? "1 event selected" : "No event selected";
  at("merge").textContent = changed ? "Change event" : names.length > 1 ? "Merge into one event" : "Make an event";
  at("merge").disabled = at("leave-out").disabled = false;
  at("cancel-change").hidden = !changed;
  if (!names.length && !changed) at("merge").disabled = at("leave-out").disabled = !text.value.trim();
  if (changed || written) return;
  const first = all.get(names[0]);
  text.value = first?.text ?? "";
  time.value = toField(names.map((name) => all.get(name).time).find((one) => one !== null && one !== undefined));
}

function go(name, { scroll = true } = {}) {
  current = name;
  if (!marked.size) written = false;
  for (const row of at("judges").querySelectorAll(".event-row")) {
    const here = row.dataset.name === name;
    row.classList.toggle("now", here);
    if (here) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
    if (here && scroll) {
      row.scrollIntoView({ block: "center" });
      row.querySelector("input")?.focus({ preventScroll: true });
    }
  }
  fill();
}

function mark(name, wanted = !marked.has(name)) {
  if (!name) return;
  if (wanted) marked.add(name);
  else marked.delete(name);
  written = false;
  const box = at("judges").querySelector(`[data-name="${CSS.escape(name)}"] input`);
  if (box) box.checked = wanted;
  fill();
}

function step(by) {
  const names = open();
  const next = names[names.indexOf(current) + by];
  if (next) go(next);
}

function propose() {
  if (!state.proposals.length) {
    toast("No proposals: no two judges listed events in similar words.");
    return;
  }
  proposal = (proposal + 1) % state.proposals.length;
  for (const name of [...marked]) mark(name, false);
  proposed = new Set(state.proposals[proposal].map(nameOf));
  for (const name of proposed) mark(name, true);
  go(chosen()[0]);
}

async function merge() {
  const words = text.value.trim();
  const names = chosen();
  if (!words) {
    text.focus();
    return;
  }
  const body = { text: words, time: fromField(time.value) };
  if (changed) {
    act(`${data.api}/merging/${encodeURIComponent(changed.id)}/change`, { ...body, expected: changed.version });
    leaveChange();
    return;
  }
  const same = names.length === proposed.size && names.every((name) => proposed.has(name));
  written = false;
  const path = `${data.api}/merging/merge`;
  forward(names);
  act(path, { ...body, sources: names.map(sourceOf), ...(same ? { assisted: "likeness" } : {}) });
}

// Nothing that is on its way to the server is chosen any more.
function forward(names) {
  const rest = open().filter((name) => !names.includes(name));
  const from = names.length ? open().indexOf(names[0]) : 0;
  marked.clear();
  proposal = -1;
  proposed = new Set();
  current = rest[Math.min(from, rest.length - 1)] ?? null;
}

function add(one) {
  const names = chosen();
  if (!names.length) return;
  forward(names);
  act(`${data.api}/merging/${encodeURIComponent(one.id)}/add`, { sources: names.map(sourceOf), expected: one.version });
}

function change(one) {
  changed = one;
  text.value = one.text;
  time.value = toField(one.time);
  fill();
  text.focus();
}

function leaveChange() {
  changed = null;
  written = false;
  fill();
  if (current) go(current);
}

function leaveOut() {
  const names = chosen();
  const words = reason.value.trim();
  if (!names.length) return;
  if (!words) {
    reason.focus();
    return;
  }
  forward(names);
  for (const name of names) act(`${data.api}/merging/leave-out`, { source: sourceOf(name), reason: words });
  kept.forget();
  reason.value = "";
}

function undo() {
  act(`${data.api}/undo`, { task: "merging" });
}

async function refresh() {
  const found = await getJson(`${data.api}/merging`);
  if (!found || JSON.stringify({ ...found, api: data.api }) === JSON.stringify({ ...state, api: data.api })) return;
  const inside = at("judges").contains(document.activeElement) || document.activeElement === document.body;
  read(found);
  render();
  if (inside && current) go(current);
}

text.addEventListener("input", () => { written = true; fill(); });
for (const field of [text, reason]) {
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (field === text) merge();
      else leaveOut();
      if (current) go(current);
    } else if (event.key === "Escape") leaveChange();
  });
}
search.addEventListener("input", render);
search.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" && event.key !== "Escape") return;
  event.preventDefault();
  const words = search.value.trim();
  const hit = state.merged.find(({ id }) => id === words) ?? state.merged.find(fits);
  search.value = "";
  render();
  if (event.key === "Enter" && words && hit) add(hit);
  if (current) go(current);
});
for (const [id, action] of [["merge", merge], ["leave-out", leaveOut], ["propose", propose], ["undo", undo], ["cancel-change", leaveChange]]) at(id).addEventListener("click", action);

onAnswer(({ path }) => { if (path.startsWith(`${data.api}/`)) refresh(); });
addEventListener("focus", refresh);
setInterval(() => { if (!document.hidden) refresh(); }, 5000);

stepKeys("next open event", "previous open event", step);
key("x", "select or deselect this event", () => mark(current));
key("p", "select the events of the next proposal", propose);
key("Enter", "merge the selected events, in the words of the form", merge);
key("e", "edit the words first; Enter makes the event, Esc cancels", () => { text.focus(); text.select(); });
key("/", "add the selected events to a merged event: number or words, then Enter", () => search.focus());
key("o", "leave out the selected events: enter a reason, then Enter", () => reason.focus());
key("u", "undo", undo);
noteKey(() => current && { kind: "event", id: current, text: all.get(current).text });
read(data);
render();
if (current) go(current, { scroll: false });
