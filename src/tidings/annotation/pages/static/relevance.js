// The Relevance page: updates one at a time, or as a list, each graded by one key.
import { act, askedItem, newKey, onAnswer, pageData, toast } from "./acts.js";
import { element } from "./elements.js";
import { key, stepKeys } from "./keys.js";
import { begun, longList } from "./longlist.js";
import { noteKey } from "./notes.js";
import { getJson, postJson } from "./requests.js";
import { when } from "./times.js";

const { api, layer } = pageData();
const early = []; // answers to what was sent before this page was loaded may come before its updates
let answered = (said) => early.push(said);
onAnswer((said) => answered(said));
const [pool, given] = await begun(`${api}/relevance`);
const updates = new Map(pool.map(([id, time, text, copies], place) => [id, { id, time: time || null, text, copies, place }]));
const inTime = [...updates.keys()];
const GRADES = ["not relevant", "relevant", "highly relevant"];
const AHEAD = 3;

const byId = (id) => document.getElementById(id);
const list = byId("updates");
const view = byId("view");
const grades = new Map(); // update → [grade, version, final]
const gone = new Set(); // went to as many others as are asked
const mine = []; // given to us, to be judged, in their order
const pending = new Map();
let current = null;
let taking = false;
let ended = false;

function reset(state) {
  grades.clear();
  gone.clear();
  mine.length = 0;
  for (const [id, value] of Object.entries(state.grades)) grades.set(id, value);
  for (const id of state.gone) gone.add(id);
  mine.push(...state.mine.filter((id) => updates.has(id)).sort((one, other) => updates.get(one).place - updates.get(other).place));
}

const isLeft = (id) => !grades.has(id) && !gone.has(id);

// What is given to us: asked for a few ahead, so that nobody waits.
async function take() {
  if (taking || ended || view.value !== "one" || mine.filter(isLeft).length >= AHEAD) return;
  taking = true;
  const answer = await postJson(`${api}/relevance/take`, { besides: mine.filter(isLeft).slice(0, 50) }).catch(() => null);
  taking = false;
  if (!answer?.ok) { setTimeout(take, 2000); return; }
  const { update } = await answer.json();
  if (update === null) ended = true;
  // The one that was graded a moment ago may come again before its grade has arrived.
  else if (isLeft(update) && !mine.includes(update)) mine.push(update);
  else if (!isLeft(update)) { setTimeout(take, 300); }
  refresh();
  take();
}

function wanted() {
  if (view.value === "one") {
    const first = mine.find(isLeft);
    const at = current && (grades.has(current) || mine.includes(current)) ? current : first;
    return at ? [at] : [];
  }
  return inTime.filter((id) => (view.value === "open" ? isLeft(id) : grades.has(id)));
}

function makeRow(id) {
  const update = updates.get(id);
  const [grade, , final] = grades.get(id) ?? [null, 0, false];
  const row = element("li", { "data-id": id, tabindex: -1, className: "row" },
    element("p", { className: "meta" }, element("span", { textContent: when(update.time) || `no. ${update.place + 1}` }),
      element("span", { textContent: [update.copies.length ? `+${update.copies.length} ${update.copies.length > 1 ? "copies" : "copy"}` : "", final ? "decided" : ""].filter(Boolean).join(", ") })),
    element("p", { className: "text", textContent: update.text }));
  const buttons = GRADES.map((words, value) => element("button", {
    type: "button", "data-grade": value, "aria-pressed": String(value === grade), disabled: final,
  }, `${words} `, element("kbd", { textContent: String(value) })));
  row.append(element("div", { className: "grades", role: "group", "aria-label": "Relevance" }, ...buttons));
  if (id === current) row.setAttribute("aria-current", "true");
  return row;
}

const rows = longList(list, list, makeRow);

function refresh(changed = []) {
  list.classList.toggle("one", view.value === "one");
  for (const id of changed) rows.anew(id);
  const before = rows.ids();
  const ids = wanted();
  rows.show(ids);
  if (!ids.includes(current)) {
    const place = before.indexOf(current);
    const shown = new Set(ids);
    go(before.slice(Math.max(0, place)).find((id) => shown.has(id)) ?? ids[0] ?? null, before.length > 0);
  }
  const judged = [...grades.keys()].filter((id) => updates.has(id)).length;
  byId("left").textContent = `${inTime.filter(isLeft).length.toLocaleString("en")} left, ${judged.toLocaleString("en")} judged`;
  byId("none").hidden = ids.length > 0 || (view.value === "one" && !ended);
  byId("none").textContent = !inTime.length ? "This topic has no pooled updates." : view.value === "judged" ? "You have not judged anything yet." : "Nothing left for you here.";
}

function go(id, focus = true) {
  rows.at(current)?.removeAttribute("aria-current");
  current = id;
  const row = id && rows.reveal(id);
  if (!row) return;
  row.setAttribute("aria-current", "true");
  if (!focus || document.querySelector("dialog[open]")) return;
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

function grade(id, value) {
  if (!id) return;
  if (grades.get(id)?.[2]) { toast("This update is decided. A project lead can reopen it."); return; }
  const made = newKey();
  const expected = pending.has(id) ? { after: pending.get(id) } : { expected: grades.get(id)?.[1] ?? 0 };
  const wasLeft = isLeft(id);
  pending.set(id, made);
  grades.set(id, [value, grades.get(id)?.[1] ?? 0, false]);
  act(`${api}/relevance/grade`, { key: made, update: id, grade: value, ...expected });
  if (view.value === "one") { if (wasLeft) current = null; }
  refresh([id]);
  if (view.value === "judged" || !wasLeft) step(1);
  take();
}

answered = async ({ ok, status, data, body, path }) => {
  const isUndo = path === `${api}/undo` && body.task === "relevance";
  if (!isUndo && path !== `${api}/relevance/grade`) return;
  if (!ok) {
    if (isUndo && status === 409) return;
    const found = await getJson(`${api}/relevance`);
    if (!found) return;
    pending.clear();
    reset(found);
    rows.forget();
    refresh();
    take();
    return;
  }
  const changed = [];
  for (const { layer: of, kind, id, value, version } of data.objects) {
    if (of !== layer || kind !== "relevance" || !updates.has(id) || (pending.get(id) ?? body.key) !== body.key) continue;
    if ((grades.get(id)?.[1] ?? 0) > version) continue;
    if (value === null) grades.delete(id);
    else grades.set(id, [value.grade, version, false]);
    if (value === null && !mine.includes(id)) mine.unshift(id);
    changed.push(id);
  }
  for (const [id, sent] of pending) if (sent === body.key) pending.delete(id);
  if (isUndo && changed.length) { toast("Undone."); current = changed[0]; }
  refresh(changed);
  if (isUndo && changed.length) go(changed[0]);
  take();
};

// In a list to the neighbour; one at a time back through what was judged, in the order of time, and on.
function step(by) {
  if (view.value !== "one") {
    const ids = rows.ids();
    const next = ids[Math.max(0, Math.min(ids.length - 1, ids.indexOf(current) + by))];
    if (next) go(next);
    return;
  }
  const seen = [...inTime.filter((id) => grades.has(id)), ...mine.filter(isLeft)];
  const next = seen[Math.max(0, Math.min(seen.length - 1, seen.indexOf(current) + by))];
  if (!next) return;
  current = next;
  refresh();
  go(next);
}

list.addEventListener("click", (event) => {
  const id = event.target.closest(".row")?.dataset.id;
  if (!id) return;
  const value = event.target.closest("[data-grade]")?.dataset.grade;
  if (id !== current) go(id);
  if (value !== undefined) grade(id, Number(value));
});
view.addEventListener("change", () => {
  localStorage.setItem("tidings-relevance-view", view.value);
  current = null; rows.forget(); refresh(); take(); go(rows.ids()[0] ?? null);
});

for (const [value, words] of GRADES.entries()) key(String(value), words, () => grade(current, value));
stepKeys("next update", "previous update", step);
key("u", "undo the last grade", () => { act(`${api}/undo`, { task: "relevance" }); });
key("v", "change the view: one at a time, a list, what you judged", () => { view.selectedIndex = (view.selectedIndex + 1) % view.options.length; view.dispatchEvent(new Event("change")); });
noteKey(() => current && { kind: "update", id: current, text: updates.get(current).text });

if (view.querySelector(`option[value="${localStorage.getItem("tidings-relevance-view")}"]`)) view.value = localStorage.getItem("tidings-relevance-view");
reset(given);
if (updates.has(askedItem())) { current = askedItem(); view.value = "one"; }
refresh();
take();
early.forEach((said) => answered(said));
