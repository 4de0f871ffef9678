// The Clusters page: updates on the left, clusters on the right, by keyboard, buttons and dragging.
import { act, askedItem, newKey, onAnswer, pageData, toast } from "./acts.js";
import { makeCards } from "./clusters_cards.js";
import { askMerge, askName } from "./clusters_dialogs.js";
import { dragging } from "./clusters_drag.js";
import { makeState } from "./clusters_state.js";
import { element } from "./elements.js";
import { key, stepKeys } from "./keys.js";
import { begun, longList } from "./longlist.js";
import { noteKey } from "./notes.js";
import { getJson } from "./requests.js";
import { when } from "./times.js";

const { api, layer, default_chars: nameChars } = pageData();
const early = []; // answers to what was sent before this page was loaded may come before its updates
let answered = (said) => early.push(said);
onAnswer((said) => answered(said));
const [rows, given] = await begun(`${api}/clusters`);
const state = makeState(rows);
state.reset(given);

const byId = (id) => document.getElementById(id);
const list = byId("updates");
const view = byId("view");
const unmarked = byId("unmarked");
let current = null; // the update at hand
let order = null; // ids by likeness to a cluster's description; null: by time
let sortedBy = null;
const near = new Map(); // update → [[update, likeness]…], asked once
const inTime = [...state.updates.keys()];
if (unmarked) unmarked.checked = Object.keys(given.grades ?? {}).length === 0; // nobody has been through them yet

// Acts: shown at once, sent, mended by the answer.

const send = (path, body, made) => act(`${api}/${path}`, { ...body, key: made });

function onUpdate(path, id, cluster, more = {}) {
  const made = newKey();
  const expected = state.expecting("membership", id, made);
  const before = state.members.get(id)?.cluster;
  state.place(id, cluster);
  send(`clusters/${path}`, { update: id, ...expected, ...more }, made);
  settle([id], [before, cluster]);
}

function isOpen(id) {
  if (!id) return false;
  if (state.members.get(id)?.final) { toast("This update is decided. A project lead can reopen it."); return false; }
  return true;
}

function makeOf(id) {
  if (!isOpen(id)) return;
  const cluster = `c-${newKey().slice(0, 10)}`;
  const number = state.nextNumber();
  const { text } = state.updates.get(id);
  state.addCluster(cluster, text.slice(0, nameChars), number);
  const made = newKey();
  state.touch("cluster", cluster, made);
  const expected = state.expecting("membership", id, made);
  const before = state.members.get(id)?.cluster;
  state.place(id, cluster);
  send("clusters/new", { update: id, cluster, number, ...expected }, made);
  cards.choose(cluster);
  settle([id], [before, cluster]);
}

function add(id, cluster, assisted = "") {
  if (!isOpen(id) || !cluster || state.members.get(id)?.cluster === cluster) return;
  onUpdate("add", id, cluster, assisted ? { cluster, assisted } : { cluster });
}

function addToChosen(id) {
  if (!cards.chosen()) toast("Select a cluster first: type its number, search with /, or click it.");
  else add(id, cards.chosen());
}

const remove = (id) => { if (isOpen(id) && state.members.get(id)?.cluster !== null) onUpdate("remove", id, null); };
const putBack = (id) => { if (isOpen(id) && state.members.has(id)) onUpdate("put-back", id, undefined); };

function ownCluster(id) {
  const cluster = state.clusters.get(id);
  if (!cluster) toast("Select a cluster first.");
  else if (cluster.final) toast("This cluster is decided. A project lead can reopen it.");
  return cluster && !cluster.final ? cluster : null;
}

async function rename(id) {
  const cluster = ownCluster(id);
  if (!cluster) return;
  const label = await askName(cluster, `${api}:${id}`);
  focusCurrent();
  if (!label || label === cluster.label || !state.clusters.has(id)) return;
  const made = newKey();
  const expected = state.expecting("cluster", id, made);
  cluster.label = label;
  send("clusters/rename", { cluster: id, label, ...expected }, made);
  settle([], [id]);
}

function mergeInto(id, into) {
  const cluster = ownCluster(id);
  if (!cluster || !state.clusters.has(into) || id === into) return;
  const made = newKey();
  const moved = [...cluster.members];
  for (const update of moved) { state.place(update, into); state.touch("membership", update, made); }
  state.dropCluster(id);
  state.touch("cluster", id, made);
  send("clusters/merge", { cluster: id, into }, made);
  cards.choose(into);
  toast(`Merged into ${state.clusters.get(into).number}. Press u to undo.`);
  settle(moved, [into]);
}

async function merge(id) {
  const cluster = ownCluster(id);
  if (!cluster) return;
  const into = await askMerge(cluster, [...state.clusters.values()]);
  focusCurrent();
  if (into) mergeInto(id, into);
}

function empty(id) {
  const cluster = ownCluster(id);
  if (!cluster) return;
  const made = newKey();
  const moved = [...cluster.members];
  for (const update of moved) { state.place(update, undefined); state.touch("membership", update, made); }
  state.dropCluster(id);
  state.touch("cluster", id, made);
  send("clusters/empty", { cluster: id }, made);
  toast("Cluster removed. Its updates need to be clustered again. Press u to undo.");
  settle(moved, []);
}

const undo = () => act(`${api}/undo`, { task: "clusters" });

answered = ({ ok, status, data, body, path }) => {
  if (!path.startsWith(`${api}/clusters`) && !(path === `${api}/undo` && body.task === "clusters")) return;
  if (!ok) { if (!(status === 409 && body.task)) mend(); return; }
  const changed = state.apply(data.objects, body.key, layer);
  settle(changed.updates, changed.clusters);
  if (body.task) {
    const first = state.byTime(changed.updates).find((id) => isShown(id));
    if (first) go(first);
    toast(changed.updates.length + changed.clusters.length ? "Undone." : "Nothing to undo.");
  }
};

// Something was refused: show what is there now.
async function mend() {
  const found = await getJson(`${api}/clusters`);
  if (!found) return;
  state.forgetActs();
  state.reset(found);
  updates.forget();
  cards.forget();
  settle([], []);
}

// The left list.

function isShown(id) {
  const there = state.members.get(id);
  if (!there && unmarked && !unmarked.checked && !state.relevant(id)) return false;
  const kind = !there ? "open" : there.cluster === null ? "out" : "placed";
  return view.value === "all" || view.value === kind;
}

function makeRow(id) {
  const update = state.updates.get(id);
  const there = state.members.get(id);
  const cluster = state.clusters.get(there?.cluster);
  const where = !there ? "" : cluster ? `in ${cluster.number}` : "not relevant";
  const button = (name, words, keyName) => element("button", { type: "button", "data-do": name }, words, " ", element("kbd", { textContent: keyName }));
  const acts = element("p", { className: "acts" });
  if (!there?.final) {
    acts.append(button("new", "New", "c"), button("add", there?.cluster ? "Move" : "Add", "Enter"));
    if (there?.cluster !== null) acts.append(button("remove", "Del", "d"));
    if (there) acts.append(button("back", "Put back", "p"));
  }
  const row = element("li", { "data-id": id, tabindex: -1, className: `row ${there ? "done" : ""}`, draggable: !there?.final },
    element("p", { className: "meta" }, element("span", { textContent: when(update.time) || `no. ${update.place + 1}` }), element("span", { className: "where", textContent: where + (there?.final ? ", decided" : "") })),
    element("p", { className: "text", textContent: update.text }));
  if (update.copies.length) row.append(copiesOf(update));
  row.append(acts);
  if (id === current) row.setAttribute("aria-current", "true");
  return row;
}

function copiesOf(update) {
  const count = update.copies.length;
  return element("details", { className: "copies" }, element("summary", { textContent: `+${count} ${count > 1 ? "copies" : "copy"}` }),
    element("ul", {}, ...update.copies.map((copy) => element("li", { textContent: copy }))));
}

const updates = longList(list, list, makeRow);
const cards = makeCards(state, { rename, sort, merge, empty, putBack, search: byId("search"), back: focusCurrent });

// After something changed: rows and cards of what changed anew, the next update at hand where this one left the list.
function settle(changed, touched) {
  const before = updates.ids();
  const place = current === null ? 0 : before.indexOf(current);
  for (const id of changed) updates.anew(id);
  const ids = (order ?? inTime).filter(isShown);
  updates.show(ids);
  cards.show(touched.filter(Boolean));
  if (current === null || !isShown(current)) {
    const shown = new Set(ids);
    const next = before.slice(Math.max(place, 0)).find((id) => shown.has(id)) ?? ids.at(place > 0 ? -1 : 0) ?? null;
    go(next, before.length > 0);
  } else suggest();
  count(ids.length);
}

function count(shown) {
  let left = 0;
  for (const id of inTime) left += !state.members.has(id) && (!unmarked || unmarked.checked || state.relevant(id));
  byId("left").textContent = `${left.toLocaleString("en")} left of ${inTime.length.toLocaleString("en")}`;
  byId("count").textContent = `${state.clusters.size.toLocaleString("en")} so far`;
  byId("no-clusters").hidden = state.clusters.size > 0;
  byId("none").hidden = shown > 0;
  const marked = unmarked && !unmarked.checked && inTime.some((id) => !state.members.has(id) && !state.relevant(id));
  byId("none").textContent = !inTime.length ? "This topic has no pooled updates." : view.value !== "open" ? "None." : marked
    ? "You have clustered every update you marked relevant. Use the checkbox above to include the rest."
    : "Every update is clustered.";
}

function go(id, focus = true) {
  const old = current && updates.at(current);
  current = id;
  old?.removeAttribute("aria-current");
  old?.querySelector(".suggestion")?.remove();
  const row = id && updates.reveal(id);
  if (!row) return;
  row.setAttribute("aria-current", "true");
  if (focus) focusCurrent();
  suggest();
}

function focusCurrent() {
  const row = current && updates.at(current);
  if (!row || document.querySelector("dialog[open]")) return;
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

function step(by) {
  const ids = updates.ids();
  const next = ids[Math.max(0, Math.min(ids.length - 1, ids.indexOf(current) + by))];
  if (next) go(next);
}

// The cluster most alike, offered for the update at hand: that of the update most like it which is in one.

async function ask(id) {
  if (!near.has(id)) {
    near.set(id, null);
    const found = await getJson(`${api}/clusters/near?update=${encodeURIComponent(id)}`);
    if (found) near.set(id, found.map((update) => [update.id, update.score]));
    else near.delete(id);
    if (id === current) suggest();
  }
  return near.get(id) ?? null;
}

function suggested(id) {
  const own = state.members.get(id)?.cluster;
  for (const [other, score] of near.get(id) ?? []) {
    const cluster = state.members.get(other)?.cluster;
    if (cluster && cluster !== own) return { cluster: state.clusters.get(cluster), score };
  }
  return null;
}

function suggest() {
  const row = current && updates.at(current);
  if (!row) return;
  row.querySelector(".suggestion")?.remove();
  if (state.members.get(current)?.final) return;
  ask(current);
  const ids = updates.ids();
  const next = ids[ids.indexOf(current) + 1];
  if (next && near.has(current)) ask(next);
  const found = suggested(current);
  if (!found) return;
  row.querySelector(".acts").before(element("p", { className: "suggestion" }, element("span", { className: "hint", textContent: `Most alike (${found.score.toFixed(2)}): ` }),
    element("b", { textContent: String(found.cluster.number) }), ` ${found.cluster.label} `,
    element("button", { type: "button", "data-do": "accept" }, "Accept ", element("kbd", { textContent: "y" }))));
}

function accept() {
  const shown = current && updates.at(current)?.querySelector(".suggestion");
  const found = shown && suggested(current);
  if (found) add(current, found.cluster.id, "most-alike");
  else toast("No suggestion for this update.");
}

// Order.

async function sort(id) {
  if (!id) { toast("Select a cluster first."); return; }
  if (sortedBy === id) { byTime(); return; }
  const found = await getJson(`${api}/clusters/alike?cluster=${encodeURIComponent(id)}`);
  if (!found) { toast("The order could not be loaded. Try again when everything is saved."); return; }
  order = found.map((update) => update.id);
  sortedBy = id;
  reorder(`Most like ${state.clusters.get(id)?.number ?? ""} first`);
}

function byTime() {
  order = null;
  sortedBy = null;
  reorder("");
}

function reorder(words) {
  byId("sorted").hidden = !words;
  byId("sorted").firstElementChild.textContent = words;
  list.setAttribute("aria-label", words ? `Updates, ${words.toLowerCase()}` : "Updates, earliest first");
  cards.sorted(sortedBy);
  updates.show((order ?? inTime).filter(isShown));
  list.scrollTop = 0;
  go(updates.ids()[0] ?? null);
}

// Mouse.

const DO = { new: makeOf, add: addToChosen, remove, back: putBack, accept };
list.addEventListener("click", (event) => {
  const row = event.target.closest(".row");
  if (!row) return;
  const { id } = row.dataset;
  const wanted = event.target.closest("[data-do]")?.dataset.do;
  if (id !== current) go(id, !event.target.closest("summary"));
  if (wanted) DO[wanted](id);
});
view.addEventListener("change", () => { updates.forget(); reorder(order ? byId("sorted").firstElementChild.textContent : ""); });
unmarked?.addEventListener("change", () => settle([], []));
byId("by-time").addEventListener("click", byTime);
dragging({ onCluster: add, onNew: makeOf, onOut: remove, onBack: putBack, mergeInto });

// Keys.

const nextView = () => { view.selectedIndex = (view.selectedIndex + 1) % view.options.length; view.dispatchEvent(new Event("change")); };
stepKeys("next update", "previous update", step);
key("Enter", "add or move it to the highlighted cluster", () => addToChosen(current));
key("a", "", () => addToChosen(current));
key("c", "make a new cluster from it", () => makeOf(current));
key("d", "not relevant", () => remove(current));
key("y", "accept the suggested cluster", accept);
key("p", "put it back in the list to cluster", () => putBack(current));
for (let digit = 0; digit < 10; digit += 1) key(String(digit), digit ? "" : "digits: highlight the cluster of that number", () => cards.type(digit));
key("]", "highlight the next cluster", () => cards.step(1));
key("[", "highlight the previous cluster", () => cards.step(-1));
key("/", "search clusters; Enter selects", () => { byId("search").focus(); byId("search").select(); });
key("o", "show or hide its members", () => cards.fold());
key("s", "sort by similarity to the highlighted cluster, or by time", () => sort(cards.chosen()));
key("r", "rename the highlighted cluster", () => { rename(cards.chosen()); });
key("m", "merge the highlighted cluster into another", () => { merge(cards.chosen()); });
key("x", "remove the highlighted cluster", () => empty(cards.chosen()));
key("u", "undo", () => { undo(); });
key("v", "change the view: to cluster, in clusters, not relevant, all", nextView);
if (unmarked) key("h", "include or leave out updates not marked relevant", () => { unmarked.checked = !unmarked.checked; settle([], []); });
noteKey(() => current && { kind: "update", id: current, text: state.updates.get(current).text });

const asked = askedItem();
if (state.updates.has(asked)) view.value = "all";
settle([], []);
if (state.updates.has(asked)) go(asked);
early.forEach((said) => answered(said));
