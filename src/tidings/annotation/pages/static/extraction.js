// The page on which nuggets are extracted: revisions on the left, the list on the right, and what keys and mouse do.
import { act, newKey, onAnswer, pageData, toast } from "./acts.js";
import { edit, forget, leftOpen } from "./extraction_forms.js";
import * as forms from "./extraction_forms.js";
import { askAgain, askDelete, askNeeds, askSplit } from "./extraction_choices.js";
import * as list from "./extraction_nuggets.js";
import * as reading from "./extraction_reading.js";
import * as text from "./extraction_text.js";
import { key } from "./keys.js";
import { getJson } from "./requests.js";

const page = pageData();
const at = (id) => document.getElementById(id);
const home = `${page.api}/nuggets`;
let seq = page.seq;
let asking = false;

const asked = (path) => getJson(`${page.api}/extraction/${path}`);
const speak = (words) => { at("spoken").textContent = words; };

// What is known of the list.

function put(id, version, value, more = {}) {
  if (value === null) list.remove(id);
  else list.put({ id, version, ...value, source: value.source }, more);
}

function heard(objects) {
  for (const one of objects ?? []) {
    if (one.kind !== "nugget" || one.layer !== "shared") continue;
    const there = list.nugget(one.id);
    if (!there || there.version < one.version) put(one.id, one.version, one.value);
  }
}

async function refresh() {
  if (asking || document.hidden) return;
  asking = true;
  const found = await asked(`nuggets?after=${seq}`);
  asking = false;
  if (!found?.nuggets) return;
  seq = found.seq;
  const there = new Set(found.nuggets.map((one) => one.id));
  for (const one of list.all()) if (!there.has(one.id) && !one.pending && one.version < seq) list.remove(one.id);
  for (const one of found.nuggets) {
    const before = list.nugget(one.id);
    if (before && (before.after || before.version >= one.version)) continue;
    list.put(one, { theirs: true });
    if (forms.editing() === one.id) forms.showTheirs(one);
  }
  list.filter();
}

async function refreshMatches() {
  const found = await asked("matches");
  if (!found) return;
  list.setCounts(found.counts);
  const box = at("again");
  box.hidden = !found.again.length;
  box.querySelector("span").textContent =
    `${found.again.length} ${found.again.length === 1 ? "update" : "updates"} to review after a nugget was split.`;
  box.querySelector("button").onclick = () => askAgain(found.again, (one) => list.nugget(one), send, refreshMatches);
}

// Acts. The screen changes at once; an answer mends it.

function send(path, body) {
  return act(path === "undo" ? `${page.api}/undo` : `${home}/${path}`, body);
}

onAnswer(({ ok, status, data, body, path }) => {
  if (!path.startsWith(home) && path !== `${page.api}/undo`) return;
  if (ok && path === `${home}/add`) {
    const made = data.objects.find((one) => one.kind === "nugget");
    if (made) list.rename(`new-${body.key}`, made.id);
  }
  if (ok) heard(data.objects);
  for (const one of list.all()) {
    if (one.after !== body.key) continue;
    list.put({ ...one, after: "", pending: false });
    if (ok && path === `${home}/add`) showAlike(one.id);
  }
  if (!ok) refused(status, data, body, path);
});

function refused(status, data, body, path) {
  const current = data.current;
  if (current?.kind === "nugget") {
    list.remove(current.id);
    put(current.id, current.version, current.value, { theirs: true });
    list.setNow(current.id);
  }
  if (path === `${home}/add`) {
    list.remove(`new-${body.key}`);
    if (body.text.trim()) write({ ...body, mode: "add", title: "New nugget", problem: data.message, typed: true });
  } else if (path === `${home}/edit` && body.text !== undefined) {
    const gone = !current?.value;
    write({
      ...body, mode: gone ? "add" : "edit", title: gone ? "That nugget was deleted. Save it as a new one?" : "Edit nugget",
      theirs: current?.value, problem: status === 409 ? "" : data.message, typed: true,
    });
  } else if (!current && (path === `${home}/edit` || status === 422)) {
    seq = -1; // what the page showed before it asked is no longer known: ask for all
    refreshAll();
  }
}

async function refreshAll() {
  const found = await asked("nuggets");
  if (!found?.nuggets) return;
  seq = found.seq;
  for (const one of found.nuggets) list.put(one);
}

// On a nugget: with the version that is shown, or behind the act that has no answer yet.
function onNugget(one, path, more, change) {
  const body = { key: newKey(), nugget: one.pending ? "" : one.id, expected: one.version ?? 0, after: one.after ?? "", ...more };
  list.put({ ...one, ...change, after: body.key });
  return send(path, body);
}

function add(given) {
  const { text: words, importance, time, source } = given;
  const id = newKey();
  list.put({ id: `new-${id}`, version: 0, text: words, importance, time, source, needs: [], pending: true, after: id });
  list.filter();
  list.setNow(`new-${id}`);
  speak(`Nugget added: ${words}`);
  return send("add", { key: id, text: words, importance, time, ...(source ? { source } : {}) });
}

async function showAlike(id) {
  const one = list.nugget(id);
  const found = one && (await asked(`alike?but=${encodeURIComponent(id)}&text=${encodeURIComponent(one.text)}`));
  const like = found?.map((name) => list.nugget(name)).find(Boolean);
  if (!like || !list.nugget(id)) return;
  const box = Object.assign(document.createElement("p"), { className: "like" });
  const button = (words, action) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: words });
    made.addEventListener("click", action);
    return made;
  };
  const away = () => list.put({ ...list.nugget(id), like: null });
  box.append(`Already there? ${like.id}: ${like.text} `, button("Merge", () => {
    away();
    merge([list.nugget(like.id), list.nugget(id)]);
  }), " ", button("Keep separate", away));
  list.put({ ...list.nugget(id), like: box });
}

// The editor.

function write(given) {
  const here = {
    ...given,
    alike: async (words) => {
      const but = encodeURIComponent(given.nugget ?? "");
      const found = await asked(`alike?but=${but}&text=${encodeURIComponent(words)}`);
      return (found ?? []).map((id) => list.nugget(id)).filter(Boolean);
    },
    go: (one) => list.setNow(one.id, { focus: true }),
  };
  edit(here, async (written) => {
    if (given.mode === "merge") return saveMerge(given, written);
    if (given.mode === "edit" && list.nugget(given.nugget)) {
      onNugget(list.nugget(given.nugget), "edit", written, written);
      list.setNow(given.nugget, { focus: true });
    } else {
      add({ ...written, source: given.source });
      text.clear();
    }
    return "";
  });
}

function writeNew() {
  const chosen = reading.chosen();
  write({
    mode: "add", title: "New nugget", text: chosen?.text ?? "", time: reading.current()?.time, typed: Boolean(chosen),
    source: chosen ? { revision: reading.current().id, start: chosen.start, end: chosen.end } : undefined,
  });
}

function writeFrom(button) {
  write({ mode: "add", title: "New nugget", text: button.dataset.text, time: Number(button.dataset.time) || undefined, typed: true });
}

function writeAnew(one = list.current()) {
  if (one) write({ mode: "edit", title: `Edit nugget ${one.pending ? "" : one.id}`, nugget: one.id, text: one.text, importance: one.importance, time: one.time });
}

function merge(ones = list.tickedOnes()) {
  const now = list.current();
  const chosen = ones.length === 1 && now && now !== ones[0] ? [now, ...ones] : ones;
  if (chosen.some((one) => one.pending)) return toast("One of these is still being saved.");
  if (chosen.length < 2) return toast("Select two or more nuggets (x), then merge them.");
  const kept = [...chosen].sort((one, other) => list.matchesOf(other.id) - list.matchesOf(one.id))[0];
  const others = chosen.filter((one) => one !== kept);
  return write({
    mode: "merge", title: `Merge ${chosen.length} nuggets into ${kept.id}`, nugget: kept.id, others: others.map((one) => one.id),
    expected: Object.fromEntries(chosen.map((one) => [one.id, one.version])),
    text: kept.text, importance: Math.max(...chosen.map((one) => one.importance)), time: Math.min(...chosen.map((one) => one.time)),
    lines: chosen.map((one) => `${one.id}: ${one.text} (${list.matchesOf(one.id)} matched)`), source: kept.source,
  });
}

async function saveMerge({ nugget, others, expected, source }, written) {
  const answer = await send("merge", { into: nugget, others, expected, ...written, ...(source ? { source } : {}) });
  if (!answer.ok) return answer.data.message;
  for (const id of [nugget, ...others]) list.setTicked(id, false);
  list.setNow(nugget, { focus: true });
  refreshMatches();
  return "";
}

// What can be done to the chosen nugget.

function setImportance(importance) {
  const chosen = reading.chosen();
  if (chosen) {
    const now = reading.current();
    add({ text: chosen.text, importance, time: now.time, source: { revision: now.id, start: chosen.start, end: chosen.end } });
    text.clear();
  } else if (list.current()) {
    onNugget(list.current(), "edit", { importance }, { importance });
  }
}

const settled = (one, action) => (one.pending || one.after ? toast("This nugget is still being saved.") : action(one));
const withNow = (action) => () => { if (list.current()) settled(list.current(), action); };
const split = withNow((one) => askSplit(one, asked, send, refreshMatches));
const needs = withNow((one) => askNeeds(one, list.all(), (wanted) => onNugget(one, "needs", { needs: wanted }, { needs: wanted })));
const remove = withNow((one) => askDelete(one, asked, (more) => {
  const sent = send("delete", { nugget: one.id, expected: one.version, ...more });
  return sent.then((answer) => { refreshMatches(); return answer; });
}));
const goToSource = () => {
  const source = list.current()?.source;
  if (!source) toast("This nugget was typed by hand.");
  else reading.show(source.revision, { span: source });
};
const undo = async () => {
  if ((await send("undo", { task: "extraction" })).ok) refreshMatches();
};

list.begin((one) => {
  const button = (words, action, more = {}) => {
    const made = Object.assign(document.createElement("button"), { type: "button", ...more });
    made.innerHTML = words;
    made.addEventListener("click", action);
    return made;
  };
  const grades = [3, 2, 1, 0].map((importance) => {
    const made = button(String(importance), () => onNugget(list.current(), "edit", { importance }, { importance }));
    made.setAttribute("aria-label", `Importance ${importance}`);
    made.setAttribute("aria-pressed", String(one.importance === importance));
    return made;
  });
  return [
    ...grades, button("Edit <kbd>e</kbd>", () => writeAnew()), button("Split <kbd>s</kbd>", split), button("Needs <kbd>p</kbd>", needs),
    ...(one.source ? [button("Source <kbd>o</kbd>", goToSource)] : []), button("Delete <kbd>d</kbd>", remove),
  ];
}, (ticked) => { at("merge").disabled = ticked < 1; });

list.fill(page.nuggets);
reading.begin(page, { asked, send, nuggets: list, setImportance, write: writeNew });
at("new").addEventListener("click", writeNew);
at("pool")?.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) writeFrom(button);
});
at("merge").addEventListener("click", () => merge());
at("undo").addEventListener("click", undo);
at("new").addEventListener("pointerdown", (event) => event.preventDefault()); // what is selected stays so

for (const importance of [3, 2, 1, 0]) {
  key(String(importance), `make a nugget of what is selected, of importance ${importance}; else give the chosen nugget that`, () => setImportance(importance));
}
key("a", "write a nugget, with what is selected", writeNew);
key("Enter", "the same", writeNew);
key("J", "next nugget", () => list.step(1));
key("K", "previous nugget", () => list.step(-1));
key("e", "edit the chosen nugget", () => writeAnew());
key("x", "select or deselect for merging", () => { const one = list.current(); if (one) list.setTicked(one.id, !list.isTicked(one.id)); });
key("m", "merge the selected nuggets", () => merge());
key("s", "split the chosen nugget", split);
key("p", "set the nuggets it needs", needs);
key("o", "go to its source", goToSource);
key("d", "delete it", remove);
key("u", "undo", undo);
key("/", "search the nuggets", () => { at("search").focus(); at("search").select(); });
key("Escape", "leave the search and clear the selection", () => { document.activeElement?.blur(); text.clear(); }, { typing: true });

const left = leftOpen();
if (left?.text?.trim()) {
  const gone = left.mode !== "add" && !list.nugget(left.nugget);
  if (left.mode === "merge") forget();
  else write({ ...left, mode: gone ? "add" : left.mode, title: left.mode === "edit" && !gone ? `Edit nugget ${left.nugget}` : "New nugget" });
} else forget();

refreshMatches();
setInterval(refresh, 5000);
document.addEventListener("visibilitychange", refresh);
