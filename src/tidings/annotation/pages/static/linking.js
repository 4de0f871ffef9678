// Sentences are linked to the merged events: none, one or several; and groups of sentences that tell of one together.
import { act, newKey, onAnswer, pageData, toast } from "./acts.js";
import { element } from "./elements.js";
import { Reading, chip, loadedAgain, settled } from "./event_reading.js";
import { key } from "./keys.js";
import { noteKey } from "./notes.js";
import { getJson } from "./requests.js";
import { finder } from "./search.js";
import { when } from "./times.js";

const data = pageData();
const at = (id) => document.getElementById(id);
const events = data.events;
const eventOf = new Map(events.map((one) => [one.id, one]));
let links = new Map(Object.entries(data.links));
let groups = new Map(); // by their sentences
const groupKeys = new Map(); // the same, by the id that the server gives
const latest = new Map(); // the key of this page's last act on a sentence or group
const opened = new Set(data.opened); // whose links are verified on the other page: nothing to do here either
const decided = new Set([...data.decided, ...opened]);
let alike = {};
let typed = "";
let group = null; // sentences of the group that is being linked
const marked = new Set();

const groupKey = (sentences) => [...sentences].sort().join("\n");
function readGroups(found) {
  groups = new Map();
  for (const [id, value] of Object.entries(found)) {
    groupKeys.set(id, groupKey(value.sentences));
    groups.set(groupKey(value.sentences), value);
  }
}
readGroups(data.groups);

// Send an act on sentences (or a group) whose answer counts only while no later one of this page's was made.
function send(path, body, names) {
  const actKey = newKey();
  for (const name of names) latest.set(name, actKey);
  act(`${data.api}/${path}`, { key: actKey, ...body });
}

const reading = new Reading(at("stories"), pageData("documents"), () => {
  typed = "";
  show();
});

// What is shown of a sentence: its events, groups, and whether it is marked.
function chips(sentence) {
  const shown = [];
  const own = links.get(sentence.id);
  if (opened.has(sentence.id)) shown.push(chip("verified by you", "you have seen the other judges' links"));
  else if (decided.has(sentence.id)) shown.push(chip("decided", "already decided"));
  if (own?.length) shown.push(...own.map((id) => chip(id, eventOf.get(id)?.text ?? "no longer listed")));
  else if (own) shown.push(chip("no event", "", "none"));
  for (const one of groups.values()) {
    if (one.sentences.includes(sentence.id)) shown.push(chip(`group: ${one.events.join(", ")}`, one.events.map((id) => eventOf.get(id)?.text).join("; "), "group"));
  }
  if (marked.has(sentence.id)) shown.push(chip("marked", "", "marked"));
  sentence.chips.replaceChildren(...shown);
  sentence.row.classList.toggle("judged", Boolean(own) || decided.has(sentence.id));
}

function progress() {
  const all = reading.sentences.length;
  let judged = 0;
  for (const { id } of reading.sentences) judged += links.has(id) || decided.has(id);
  at("progress").value = judged;
  at("progress").max = all;
  at("progress-text").textContent = `${judged} of ${all} sentences judged`;
}

const buttons = new Map();
for (const one of events) {
  const button = element("button", { type: "button", className: "event", onclick: () => toggle(one.id) },
    element("b", { textContent: one.id }), element("span", { className: "words", textContent: one.text }),
    element("span", { className: "time", textContent: when(one.time) }));
  button.setAttribute("aria-pressed", "false");
  buttons.set(one.id, button);
  at("events").append(element("li", {}, button));
}

const chosen = () => (group ? groups.get(groupKey(group))?.events ?? [] : links.get(reading.sentence?.id) ?? []);

// The panel beside the stories: which events the current sentence (or group) tells of, and later sentences like it.
function show() {
  const now = new Set(chosen());
  for (const [id, button] of buttons) button.setAttribute("aria-pressed", String(now.has(id)));
  at("typed").textContent = typed ? `event ${typed}…` : "";
  at("group").hidden = !group;
  if (group) at("group-text").textContent = `Group of ${group.length} sentences: select the events they report together.`;
  at("mark-text").textContent = marked.size ? `${marked.size} marked` : "";
  at("make-group").disabled = marked.size < 2;
  showAlike();
}

function showAlike() {
  const later = (alike[reading.sentence?.id] ?? []).map((id) => reading.byId.get(id)).filter(Boolean);
  at("alike").hidden = !later.length;
  at("alike-title").textContent = `${later.length} similar later sentences`;
  at("alike-list").replaceChildren(...later.map((one) => {
    const own = links.get(one.id);
    const row = element("li", {},
      element("button", { type: "button", className: "quiet words", textContent: one.text, onclick: () => reading.go(one.number) }),
      element("span", { className: "time", textContent: `${one.story.title || one.story.id} · ${when(one.story.time)}` }));
    if (own) row.append(own.length ? chip(`linked: ${own.join(", ")}`) : chip("no event", "", "none"));
    return row;
  }));
}

function put(id, value) {
  if (value) links.set(id, value);
  else links.delete(id);
  const sentence = reading.byId.get(id);
  if (sentence) chips(sentence);
}

function putGroup(name, value) {
  const ids = value?.sentences ?? groups.get(name)?.sentences ?? [];
  if (value) groups.set(name, value);
  else groups.delete(name);
  for (const id of ids) if (reading.byId.has(id)) chips(reading.byId.get(id));
}

function judge(sentence, chosenEvents) {
  if (decided.has(sentence.id)) {
    toast(opened.has(sentence.id) ? "You verify this sentence, so you cannot link it." : "The events of this sentence are already decided.");
    return;
  }
  put(sentence.id, chosenEvents);
  progress();
  show();
  send("links", { sentence: sentence.id, events: chosenEvents }, [sentence.id]);
}

function toggle(id) {
  typed = "";
  const before = chosen();
  const after = before.includes(id) ? before.filter((one) => one !== id) : [...before, id];
  if (group) {
    putGroup(groupKey(group), after.length ? { sentences: group, events: after } : null);
    send("links/group", { sentences: group, events: after }, [groupKey(group)]);
  } else if (reading.sentence) judge(reading.sentence, after);
  show();
}

// Numbers: linked at once where no other event's number goes on from what was typed.
function digit(one) {
  typed += one;
  const going = events.filter(({ id }) => id.startsWith(typed));
  if (going.length === 1 && going[0].id === typed) toggle(typed);
  else if (!going.length) {
    toast(`There is no event ${typed}.`);
    typed = "";
  }
  show();
}

function finish() {
  if (!typed) return;
  if (eventOf.has(typed)) toggle(typed);
  else toast(`There is no event ${typed}.`);
  typed = "";
}

function next() {
  const wasGroup = Boolean(group);
  finish();
  if (wasGroup) {
    closeGroup();
    return;
  }
  const now = reading.sentence;
  if (now && !links.has(now.id) && !decided.has(now.id)) judge(now, []);
  if (!reading.step(1)) toast("This is the last sentence.");
}

function mark(sentence, wanted = !marked.has(sentence.id)) {
  if (wanted) marked.add(sentence.id);
  else marked.delete(sentence.id);
  chips(sentence);
  show();
}

function extend(by) {
  if (reading.sentence) mark(reading.sentence, true);
  if (reading.step(by)) mark(reading.sentence, true);
}

function openGroup() {
  if (marked.size >= 2) {
    group = reading.sentences.filter(({ id }) => marked.has(id)).map(({ id }) => id);
  } else {
    group = [...groups.values()].find((one) => one.sentences.includes(reading.sentence?.id))?.sentences ?? null;
    if (!group) toast("Mark at least two sentences first. Press x to mark this one.");
  }
  show();
}

function closeGroup() {
  group = null;
  typed = "";
  const ids = [...marked];
  marked.clear();
  for (const id of ids) chips(reading.byId.get(id));
  show();
}

function linkAlike() {
  const now = reading.sentence;
  const own = links.get(now?.id) ?? [];
  const later = (alike[now?.id] ?? []).filter((id) => !opened.has(id) && !own.every((event) => links.get(id)?.includes(event)));
  if (!own.length) toast("Link this sentence first, then the similar ones.");
  else if (later.length) {
    for (const id of later) put(id, [...new Set([...(links.get(id) ?? []), ...own])]);
    send("links/alike", { sentences: later, events: own, assisted: "alike" }, later);
    progress();
    show();
    toast(`${later.length} later sentence${later.length > 1 ? "s" : ""} linked too`);
  }
}

function undo() {
  latest.clear();
  act(`${data.api}/undo`, { task: "linking" });
}

function all() {
  const grouped = new Set([...groups.values()].flatMap((one) => one.sentences));
  for (const sentence of reading.sentences) {
    const { id } = sentence;
    if (sentence.chips.childElementCount || links.has(id) || decided.has(id) || grouped.has(id)) chips(sentence);
  }
  progress();
  show();
}

async function refresh() {
  const state = await settled(`${data.api}/linking`);
  if (!state) return;
  links = new Map(Object.entries(state.links));
  readGroups(state.groups);
  all();
}

onAnswer(async ({ ok, data: answer, path, body }) => {
  if (!path.startsWith(`${data.api}/`)) return;
  if (!ok) {
    await refresh();
    return;
  }
  for (const one of answer.objects) {
    if (one.kind === "group" && one.value) groupKeys.set(one.id, groupKey(one.value.sentences));
    const name = one.kind === "group" ? groupKeys.get(one.id) : one.id;
    if ((latest.get(name) ?? body.key) !== body.key) continue;
    if (one.kind === "links") put(one.id, one.value?.events);
    else if (one.kind === "group" && name) putGroup(name, one.value);
  }
  const first = path.endsWith("/undo") && answer.objects.map(({ id }) => reading.byId.get(id)).find(Boolean);
  if (first) reading.go(first.number);
  progress();
  show();
});

const search = at("event-search");
function filterEvents() {
  const fits = finder(search.value);
  for (const { id, text } of events) buttons.get(id).parentElement.hidden = !fits(`${id} ${text}`);
}
search.addEventListener("input", filterEvents);
search.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" && event.key !== "Escape") return;
  event.preventDefault();
  const words = search.value.trim();
  const hit = eventOf.get(words) ?? events.find(({ id }) => !buttons.get(id).parentElement.hidden);
  if (event.key === "Enter" && words && !hit) return;
  search.value = "";
  filterEvents();
  if (event.key === "Enter" && words) toggle(hit.id);
  if (reading.sentence) reading.go(reading.current);
});

at("stories").addEventListener("click", (event) => {
  const row = event.target.closest?.(".sentence");
  if (!row || !event.shiftKey) return;
  getSelection().removeAllRanges();
  const [from, to] = [reading.current, Number(row.dataset.number)].sort((one, other) => one - other);
  for (let n = from; n <= to; n += 1) mark(reading.sentences[n], true);
});

reading.keys(at("search"), at("found"), "f");
key("Enter", "next sentence; with no link, this one is judged “no event”", next);
for (const one of "1234567890") key(one, `event ${one}, or a number starting with it`, () => digit(one));
key(" ", "use the typed number and stay here", finish);
key("/", "search the events; Enter links, Esc cancels", () => search.focus());
key("-", "no event", () => reading.sentence && judge(reading.sentence, []));
key(".", "next unjudged sentence", () => { reading.step(1, ({ id }) => !links.has(id) && !decided.has(id)); });
key("l", "link the similar sentences to the same events", linkAlike);
key("x", "mark this sentence for a group", () => reading.sentence && mark(reading.sentence));
key("Shift+ArrowDown", "mark this sentence and the next", () => extend(1));
key("Shift+ArrowUp", "mark this sentence and the previous one", () => extend(-1));
key("g", "group the marked sentences, or open this sentence's group", openGroup);
key("Escape", "close the group and clear the marks", closeGroup);
key("u", "undo", undo);
noteKey(() => reading.sentence && { kind: "sentence", id: reading.sentence.id, text: reading.sentence.text });
for (const [id, action] of [["next", next], ["none", () => reading.sentence && judge(reading.sentence, [])], ["undo", undo], ["link-alike", linkAlike],
  ["mark", () => reading.sentence && mark(reading.sentence)], ["make-group", openGroup], ["close-group", closeGroup]]) {
  at(id).addEventListener("click", action);
}
reading.begin();
all();
if (loadedAgain()) refresh();
getJson(`${data.api}/linking/alike`).then((found) => {
  alike = found ?? {};
  document.body.dataset.alike = "there";
  showAlike();
});
