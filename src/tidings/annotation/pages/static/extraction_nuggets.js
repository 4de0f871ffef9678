// The list of nuggets in time order: which there are, which one is chosen, which are ticked, which the search shows.
import { textElement } from "./elements.js";
import { finder } from "./search.js";
import { clock, isoDate } from "./times.js";

const list = document.getElementById("nuggets");
const field = document.getElementById("search");
const empty = document.getElementById("empty");
const nuggets = new Map(); // id → {id, version, text, importance, time, needs, source, after, pending, like}
const rows = new Map(); // id → li
const ticked = new Set();
let counts = {};
let now = null;
let tools = () => [];
let onTick = () => {};

export const nugget = (id) => nuggets.get(id);
export const current = () => nuggets.get(now);
export const all = () => [...nuggets.values()].sort((one, other) => one.time - other.time || (one.id < other.id ? -1 : 1));
export const tickedOnes = () => all().filter((one) => ticked.has(one.id));
export const matchesOf = (id) => counts[id] ?? 0;

export function begin(makeTools, ticking) {
  tools = makeTools;
  onTick = ticking;
  field.addEventListener("input", filter);
}

function draw(id) {
  const one = nuggets.get(id);
  const row = rows.get(id);
  const tick = textElement("input", "", { type: "checkbox", checked: ticked.has(id) });
  tick.setAttribute("aria-label", `Select for merging: ${one.text}`);
  tick.addEventListener("change", () => setTicked(id, tick.checked));
  const choose = textElement("button", "", { type: "button", className: "choose" });
  const importance = textElement("b", one.importance, { title: "importance" });
  importance.dataset.importance = one.importance;
  const facts = [`${isoDate(one.time)} ${clock(one.time)}`, one.pending ? "saving…" : id];
  if (matchesOf(id)) facts.push(`${matchesOf(id)} matched`);
  if (one.needs.length) facts.push(`needs ${one.needs.join(", ")}`);
  choose.append(importance, one.text, textElement("small", facts.join(" · ")));
  if (id === now) choose.setAttribute("aria-current", "true");
  choose.addEventListener("click", () => setNow(id));
  row.classList.toggle("now", id === now);
  const more = [];
  if (id === now) {
    const group = textElement("div", "", { className: "tools" });
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", "This nugget");
    group.append(...tools(one));
    more.push(group);
  }
  if (one.like) more.push(one.like);
  row.replaceChildren(tick, choose, ...more);
}

function shows(one) {
  return finder(field.value)(`${one.text} ${one.id}`);
}

export function filter() {
  let shown = 0;
  for (const [id, row] of rows) {
    const is = shows(nuggets.get(id));
    row.hidden = !is;
    shown += is;
  }
  empty.hidden = shown > 0;
  empty.textContent = nuggets.size ? "No matching nuggets." : "No nuggets yet.";
  const total = nuggets.size.toLocaleString("en");
  document.getElementById("counted").textContent = shown < nuggets.size ? `${shown.toLocaleString("en")} of ${total}` : total;
}

// Put a nugget into the list, or what it says now.
export function put(one, { theirs = false } = {}) {
  const before = nuggets.get(one.id);
  nuggets.set(one.id, { ...before, needs: [], ...one });
  if (!rows.has(one.id)) rows.set(one.id, document.createElement("li"));
  const row = rows.get(one.id);
  row.classList.toggle("theirs", theirs);
  draw(one.id);
  if (!before || before.time !== one.time) place(one.id);
  row.hidden = !shows(nuggets.get(one.id));
}

function place(id) {
  const order = all();
  const next = order[order.findIndex((one) => one.id === id) + 1];
  list.insertBefore(rows.get(id), next ? rows.get(next.id) ?? null : null);
}

export function fill(given) {
  for (const one of given) {
    nuggets.set(one.id, { needs: [], ...one });
    rows.set(one.id, document.createElement("li"));
  }
  for (const one of all()) {
    draw(one.id);
    list.append(rows.get(one.id));
  }
  filter();
}

export function remove(id) {
  if (!nuggets.has(id)) return;
  const beside = rows.get(id).nextElementSibling ?? rows.get(id).previousElementSibling;
  rows.get(id).remove();
  rows.delete(id);
  nuggets.delete(id);
  setTicked(id, false);
  if (now === id) now = [...rows].find(([, row]) => row === beside)?.[0] ?? null;
  if (now) draw(now);
  filter();
}

// What had no id yet has one.
export function rename(id, other) {
  const one = nuggets.get(id);
  if (!one || id === other) return;
  const row = rows.get(id);
  nuggets.delete(id);
  rows.delete(id);
  if (rows.has(other)) row.remove();
  else rows.set(other, row);
  nuggets.set(other, { ...one, id: other });
  if (now === id) now = other;
}

export function setNow(id, { focus = false } = {}) {
  const before = now;
  now = nuggets.has(id) ? id : null;
  if (before && before !== now && nuggets.has(before)) draw(before);
  if (!now) return;
  const had = rows.get(now).contains(document.activeElement);
  rows.get(now).classList.remove("theirs");
  draw(now);
  rows.get(now).scrollIntoView({ block: "nearest" });
  if (focus || had) rows.get(now).querySelector(".choose").focus({ preventScroll: true });
}

export function step(by) {
  const shown = [...rows].filter(([, row]) => !row.hidden).map(([id]) => id);
  const order = all().map((one) => one.id).filter((id) => shown.includes(id));
  const at = order.indexOf(now);
  const next = at < 0 ? (by > 0 ? 0 : order.length - 1) : Math.min(Math.max(at + by, 0), order.length - 1);
  if (order[next]) setNow(order[next], { focus: true });
}

export function setTicked(id, is) {
  if (is) ticked.add(id);
  else ticked.delete(id);
  const tick = rows.get(id)?.querySelector("input");
  if (tick) tick.checked = is;
  onTick(ticked.size);
}

export const isTicked = (id) => ticked.has(id);

export function setCounts(given) {
  const changed = new Set([...Object.keys(counts), ...Object.keys(given)].filter((id) => counts[id] !== given[id]));
  counts = given;
  for (const id of changed) if (rows.has(id)) draw(id);
}

export function redraw(id) {
  if (rows.has(id)) draw(id);
}
