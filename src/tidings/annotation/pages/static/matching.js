// The page on which updates are matched to nuggets: what is shown, what keys and mouse do, what is saved.
import { act, draft, newKey, onAnswer, pageData, toast, waiting } from "./acts.js";
import { key, stepKeys } from "./keys.js";
import * as nuggets from "./matching_nuggets.js";
import * as pool from "./matching_pool.js";
import * as text from "./matching_text.js";
import { noteKey } from "./notes.js";
import { getJson, postJson } from "./requests.js";

const page = pageData();
const at = (id) => document.getElementById(id);
const home = `${page.api}/matching`;
const rows = new Map(); // number → {id, text, time, source, copies}
const states = new Map(); // number → {target, version, matches, decided, after}
const numbers = new Map(); // id of an update → its number
const gone = new Set();
const hints = new Map();
const settings = `tidings-matching:${page.topic}`;
const chosen = JSON.parse(localStorage.getItem(settings) ?? "{}");
const written = draft(at("search"), settings);
let now = page.at;
let last = null; // the matches of the latest judgment that has any
let kept = null; // the update that is kept for us, to be judged next
let unranked = 0;
let keeping = Promise.resolve();
let isDue = false; // whether what is shown is to be kept as soon as the keeping before it is done
let guessed = false; // whether the likely nuggets of this update stand in the list

const state = (number) => states.get(number) ?? { target: rows.get(number)?.id, version: 0, matches: null };
const isOpen = (number) => (!state(number).matches || state(number).again) && !gone.has(number);
const asked = (path) => getJson(`${home}/${path}`);

function addRows(list, low) {
  list.forEach(([id, words, time, source, copies], place) => {
    const number = low + place;
    if (rows.has(number)) return;
    rows.set(number, { id, text: words, time, source, copies });
    for (const one of [id, ...copies]) numbers.set(one, number);
    pool.fill(number, rows.get(number), copies.length);
    pool.showState(number, state(number), gone.has(number));
  });
}

function setState(number, given) {
  const { after, target } = state(number);
  const made = { target: rows.get(number)?.id ?? target, after, ...given };
  states.set(number, made);
  if (made.text && rows.has(number)) rows.get(number).text = made.text;
  pool.showState(number, made, gone.has(number));
}

// What is on the screen.

function draw() {
  const [row, { matches, decided, again }] = [rows.get(now), state(now)];
  text.showSpans(matches ?? []);
  nuggets.setPressed((matches ?? []).map((one) => one.nugget));
  const items = (matches ?? []).map((one, place) => {
    const item = document.createElement("li");
    const name = document.createElement("span");
    name.textContent = nuggets.nugget(one.nugget)?.text ?? `${one.nugget} (deleted)`;
    const words = document.createElement("q");
    words.textContent = text.quote(one.start, one.end);
    const remove = document.createElement("button");
    remove.type = "button";
    remove.textContent = "×";
    remove.setAttribute("aria-label", `Remove this match: ${name.textContent}`);
    remove.addEventListener("click", () => removeMatch(place));
    item.append(name, remove, words);
    item.addEventListener("pointerenter", () => text.point(one));
    item.addEventListener("pointerleave", () => text.point(null));
    remove.addEventListener("focus", () => text.point(one));
    remove.addEventListener("blur", () => text.point(null));
    return item;
  });
  if (!items.length) {
    const none = document.createElement("li");
    none.className = "none";
    none.textContent = matches ? "No nugget." : "Not judged yet. Select a nugget, or press 0 for no nugget.";
    items.push(none);
  }
  at("matches").replaceChildren(...items);
  at("repeat").disabled = !last;
  at("notice").hidden = !(decided || again || gone.has(now) || page.looking);
  at("notice").textContent = page.looking
    ? "You are viewing another judge's work. It is read-only."
    : decided
      ? page.leads ? "This is decided. Changing it changes the final judgment for everyone." : "This is decided. Only a project lead can change it."
      : again ? "This was reopened. Judge it again, or press Enter to keep your judgment." : `${page.judges === 1 ? "Another judge has" : "Enough other judges have"} taken this one. Go to the next.`;
  const place = `${when(row)}${row.source ? ` · ${row.source}` : ""} · ${row.id}`;
  drawSuggested();
  at("of").textContent = `${(now + 1).toLocaleString("en")} of ${page.count.toLocaleString("en")} · ${place}`;
}

const when = (row) => (row.time ? `${pool.when(row.time)} UTC` : "unknown time");

function count() {
  let judged = 0, left = 0;
  for (const one of states.values()) judged += one.matches && !one.again ? 1 : 0;
  for (let number = 0; number < page.count; number += 1) left += isOpen(number) ? 1 : 0;
  // Where enough others have judged some, what is left is not the rest.
  const forYou = judged + left < page.count ? `, ${left.toLocaleString("en")} for you` : "";
  at("counted").textContent = `${judged.toLocaleString("en")} of ${page.count.toLocaleString("en")} judged${forYou}`;
}

function show(number, { push = false } = {}) {
  if (!rows.has(number)) return;
  now = number;
  const row = rows.get(number);
  const address = new URL(location.href);
  address.searchParams.set("at", row.id);
  if (push) history.pushState({ at: row.id }, "", address);
  else history.replaceState({ at: row.id }, "", address);
  text.showText(row.text);
  pool.setNow(number);
  draw();
  at("copies").hidden = !row.copies.length;
  if (row.copies.length) {
    at("copies").querySelector("summary").textContent =
      `+${row.copies.length} ${row.copies.length === 1 ? "copy" : "copies"}, judged together`;
    at("copies").querySelector("ul").replaceChildren(...row.copies.map((id) => {
      const item = document.createElement("li");
      item.textContent = id;
      return item;
    }));
  }
  at("near").hidden = true;
  guessed = hints.has(number);
  nuggets.setLikely(hints.get(number)?.likely ?? null);
  at("text").focus({ preventScroll: true });
  showHints(number);
}

// Nothing is asked for while a judgment is on its way: no judgment waits for a suggestion.
let resting = [];
const quiet = () => (waiting() ? new Promise((resolve) => resting.push(resolve)) : Promise.resolve());
function rest() {
  if (waiting()) return;
  const due = resting;
  resting = [];
  for (const resolve of due) resolve();
}

async function hintsOf(number) {
  const found = await asked(`hints?update=${encodeURIComponent(state(number).target ?? rows.get(number).id)}`);
  if (found) hints.set(number, found);
  return found;
}

async function showHints(number) {
  if (page.looking) return;
  await quiet();
  if (number !== now) return;
  const found = await hintsOf(number);
  if (number !== now || !found) return;
  // Suggestions that stand there already stay: a number must not change its meaning under a finger.
  if (!guessed) nuggets.setLikely(found.likely);
  guessed = true;
  drawNear(found.near);
  drawSuggested();
  const following = nextOpen();
  if (following !== undefined && !hints.has(following) && rows.has(following)) hintsOf(following);
}

// A program's suggestion is shown beside an answer, never before one.
function drawSuggested() {
  if (!page.suggests) return;
  const found = hints.get(now)?.suggested;
  at("suggested").hidden = page.looking || !(found || (hints.get(now)?.suggests && state(now).matches));
  at("compare").hidden = Boolean(found);
  at("suggested-title").textContent = found ? `Suggested by ${found.by}` : "Suggestion";
  const mine = new Set((state(now).matches ?? []).map((one) => one.nugget));
  const lines = (found?.matches ?? []).map(({ nugget: id }) => {
    const item = document.createElement("li");
    item.textContent = `${nuggets.nugget(id)?.text ?? id} ${mine.has(id) ? "(you too)" : "(you did not)"}`;
    return item;
  });
  if (found && !lines.length) lines.push(Object.assign(document.createElement("li"), { textContent: "No nugget" }));
  at("suggested").querySelector("ul").replaceChildren(...lines);
}

async function compare() {
  const number = now;
  const answer = await act(`${home}/compare`, { update: state(number).target ?? rows.get(number).id });
  if (answer.ok && (await hintsOf(number)) && number === now) drawSuggested();
}

function drawNear(near) {
  at("near").hidden = !near.length;
  at("near").querySelector("div").replaceChildren(...near.map((one, place) => {
    const box = document.createElement("article");
    const words = document.createElement("p");
    words.textContent = one.text;
    const list = document.createElement("ul");
    list.append(...one.matches.map((match) => {
      const item = document.createElement("li");
      const quoted = document.createElement("q");
      quoted.textContent = text.quote(match.start, match.end);
      item.append(`${nuggets.nugget(match.nugget)?.text ?? match.nugget}: `, quoted);
      return item;
    }));
    if (!one.matches.length) list.append(Object.assign(document.createElement("li"), { textContent: "nothing" }));
    const same = document.createElement("button");
    same.type = "button";
    same.append("Same judgment here ");
    if (!place) same.append(Object.assign(document.createElement("kbd"), { textContent: "c" }));
    same.addEventListener("click", () => takeNear(one));
    box.append(words, list);
    if (one.lost) {
      const lost = document.createElement("p");
      lost.className = "hint";
      lost.textContent = `${one.lost} of its matches ${one.lost === 1 ? "refers" : "refer"} to words not in this update.`;
      box.append(lost);
    }
    box.append(same);
    return box;
  }));
}

// What is judged.

function judge(matches, { assisted = "" } = {}) {
  const number = now;
  const before = state(number);
  if (page.looking || (before.decided && !page.leads)) {
    toast("This page is read-only.");
    return false;
  }
  if (before.decided && !before.anew && !confirm("This is decided. Change the final judgment for everyone?")) return false;
  const name = newKey();
  const list = matches.map(({ nugget, start, end }) => ({ nugget, start, end }));
  const body = { key: name, update: before.target, matches: list, expected: before.version, decided: Boolean(before.decided) };
  if (before.after) body.after = before.after;
  if (assisted) body.assisted = assisted;
  setState(number, { ...before, matches: list, after: name, anew: before.decided, again: false });
  if (list.length) last = list.map((one) => ({ ...one, text: text.quote(one.start, one.end) }));
  count();
  draw();
  unranked += 1;
  act(home, body);
  return true;
}

function takeNugget(id, span, assisted) {
  const found = state(now).matches ?? [];
  const place = span ?? text.selection();
  const same = (one) => one.nugget === id && one.start === place.start && one.end === place.end;
  if (found.some(same)) return toast("Already matched.");
  nuggets.used(id);
  const made = { nugget: id, start: place.start, end: place.end };
  judge([...found, made].sort((a, b) => a.start - b.start || a.end - b.end), { assisted });
  text.choose(null);
  nuggets.clearSearch();
  written.forget();
  at("text").focus({ preventScroll: true });
  at("spoken").textContent = `matched to ${nuggets.nugget(id)?.text ?? id}`;
}

function removeMatch(place) {
  const found = state(now).matches ?? [];
  if (found.length) judge(found.filter((_, number) => number !== place));
  at("text").focus({ preventScroll: true });
}

function repeat() {
  if (!last) return toast("Nothing has been matched yet.");
  const found = state(now).matches ?? [];
  const place = text.selection();
  const ids = [...new Set(last.map((one) => one.nugget))].filter((id) => nuggets.nugget(id));
  const made = ids.map((nugget) => ({ nugget, start: place.start, end: place.end }));
  const isNew = (one) => !found.some((old) => old.nugget === one.nugget && old.start === one.start && old.end === one.end);
  if (!made.some(isNew)) return toast("Already matched.");
  judge([...found, ...made.filter(isNew)]);
  text.choose(null);
}

function takeNear(one) {
  judge(one.matches, { assisted: `near ${one.update}`.slice(0, 100) });
}

function nothing() {
  if (judge([])) goOn();
}

async function undo() {
  const answer = await act(`${page.api}/undo`, { task: "matching" });
  if (!answer.ok) return;
  const [first] = answer.data.objects.map((one) => numbers.get(one.id)).filter((one) => one !== undefined);
  if (first !== undefined) show(first, { push: first !== now });
}

// Where to go.

function nextOpen() {
  if (kept !== null && kept !== now && isOpen(kept)) return kept;
  const open = (number) => number !== now && isOpen(number);
  return pool.behind(now).find(open) ?? pool.inOrder().find(open);
}

// The update that is shown and the next are kept for us, so that nobody else is at work on them. Looking around keeps
// nothing, and who leads begins to work with a judgment.
function keep() {
  if (isDue) return keeping;
  isDue = true;
  keeping = keeping.catch(() => null).then(() => {
    isDue = false;
    return keepBoth();
  });
  return keeping;
}

async function keepBoth() {
  if (!page.shared || page.looking || !isOpen(now)) return;
  const near = [now, ...pool.behind(now).filter((number) => isOpen(number))].slice(0, 30);
  const first = await takeFirst(near.slice(0, 1));
  if (first === undefined) {
    gone.add(near[0]);
    pool.showState(near[0], state(near[0]), true);
    if (near[0] === now) draw();
  }
  const rest = near.slice(1);
  const next = await takeFirst(rest);
  if (next !== undefined) kept = next;
  for (const number of rest.slice(0, next === undefined ? rest.length : rest.indexOf(next))) {
    gone.add(number);
    pool.showState(number, state(number), true);
  }
}

async function takeFirst(list) {
  const names = list.map((number) => rows.get(number)?.id).filter(Boolean);
  if (!names.length) return undefined;
  const answer = await postJson(`${home}/take`, { updates: names }).catch(() => null);
  if (!answer?.ok) return list[0];
  return numbers.get((await answer.json()).update);
}

function goOn() {
  const next = nextOpen();
  if (next === undefined) return toast("Everything here is judged.");
  show(next);
  keep();
  if (unranked >= 10 && chosen.order && chosen.order !== "time") rank();
}

function done() {
  if (state(now).again && !page.looking) judge(state(now).matches);
  if (isOpen(now) && !page.looking) return toast("Not judged yet. Press 0 for no nugget, or j to skip it for now.");
  goOn();
}

function move(by) {
  const next = pool.shift(now, by);
  if (next !== undefined) show(next);
}

async function rank() {
  unranked = 0;
  if (!chosen.order || chosen.order === "time") return pool.reorder([]);
  const found = await asked(`order?by=${chosen.order}`);
  if (found) pool.reorder(found);
}

// Answers to what was sent, also before this page was loaded.
onAnswer(({ ok, status, data, body, path }) => {
  if (path !== home && path !== `${page.api}/undo`) return;
  const isUndo = path !== home;
  for (const one of ok ? data.objects : []) {
    const number = numbers.get(one.id);
    if (number === undefined || one.kind !== "matches") continue;
    const there = state(number);
    if (one.id !== there.target || (there.after && there.after !== body.key && !isUndo)) continue;
    if ((one.layer === "final") !== Boolean(there.decided)) continue;
    setState(number, { ...there, again: false, version: one.value ? one.version : 0, matches: one.value?.matches ?? null, after: "" });
  }
  if (ok && !isUndo && !data.objects.length) clearAfter(body);
  if (!ok && !isUndo) mend(status, data, body);
  if (rows.has(now)) draw();
  count();
  rest();
});

function clearAfter(body) {
  const number = numbers.get(body.update);
  if (number !== undefined && state(number).after === body.key) setState(number, { ...state(number), after: "" });
}

async function mend(status, data, body) {
  const number = numbers.get(body.update);
  if (number === undefined) return;
  const current = data.current;
  if (status === 409 && current) {
    const decided = current.layer === "final" && current.value !== null;
    setState(number, { version: current.value ? current.version : 0, matches: current.value?.matches ?? null, decided, after: "" });
  } else await fetchStates();
  if (status === 409 && !current) {
    gone.add(number);
    pool.showState(number, state(number), true);
  }
  show(number, { push: number !== now });
}

async function fetchStates() {
  const found = await asked(`states${page.looking ? `?judge=${at("whose").value}` : ""}`);
  if (!found) return;
  for (const [number, given] of [...states]) {
    if (!found.states[number] && !given.after) setState(number, { version: 0, matches: null });
  }
  for (const [name, given] of Object.entries(found.states)) {
    if (!state(Number(name)).after) setState(Number(name), given);
  }
  gone.clear();
  for (const number of found.gone) gone.add(number);
  for (const number of found.gone) pool.showState(number, state(number), true);
  const open = found.mine.filter((number) => number !== now && isOpen(number));
  if (open.length) [kept] = open;
  count();
  if (rows.has(now)) draw();
}

async function fetchNuggets() {
  const found = await asked("nuggets");
  if (!found) return;
  nuggets.setNuggets(found);
  draw();
}

async function fetchRows() {
  for (let low = 0; low < page.count; low += 1000) {
    const found = await asked(`updates?start=${low}&count=1000`);
    if (found) addRows(found, low);
  }
}

async function begin() {
  document.documentElement.style.setProperty("--frame", `${document.querySelector(".frame").offsetHeight}px`);
  pool.begin(page.count, (number) => show(number, { push: number !== now }));
  nuggets.begin({ nuggets: page.nuggets, quote: text.quote, take: takeNugget });
  addRows(page.rows, page.low);
  for (const [number, given] of Object.entries(page.states)) setState(Number(number), given);
  show(now);
  count();
  performance.mark("ready to judge");
  await fetchStates();
  await fetchRows();
  const taken = page.leads ? null : keep();
  if (chosen.order && chosen.order !== "time") await rank();
  await taken;
}

for (const [id, action] of [["nothing", nothing], ["repeat", repeat], ["undo", undo], ["done", done]]) {
  at(id).addEventListener("click", action);
}
if (page.suggests) at("compare").addEventListener("click", compare);
at("previous").addEventListener("click", () => move(-1));
at("following").addEventListener("click", () => move(1));
for (const name of ["order", "shown"]) {
  const field = at(name);
  if (chosen[name]) field.value = chosen[name];
  field.addEventListener("change", () => {
    chosen[name] = field.value;
    localStorage.setItem(settings, JSON.stringify(chosen));
    if (name === "order") rank();
    else pool.only(field.value);
  });
}
pool.only(chosen.shown ?? "all");
at("whose")?.addEventListener("change", (event) => {
  const address = new URL(location.href);
  address.searchParams.set("judge", event.target.value);
  location.assign(address);
});
addEventListener("popstate", (event) => {
  const number = numbers.get(event.state?.at ?? new URL(location.href).searchParams.get("at"));
  if (number !== undefined) show(number);
});
addEventListener("focus", fetchNuggets);
addEventListener("resize", () => {
  document.documentElement.style.setProperty("--frame", `${document.querySelector(".frame").offsetHeight}px`);
});

for (let number = 1; number <= 9; number += 1) {
  key(String(number), `select nugget ${number} in the list`, () => nuggets.digit(number));
}
key("0", "no nugget; go to the next", nothing);
key("Enter", "next update to judge", done);
stepKeys("next update", "previous update", move);
key("ArrowRight", "select the next word", () => text.step(1, false));
key("ArrowLeft", "select the previous word", () => text.step(-1, false));
key("Shift+ArrowRight", "extend the selection by a word", () => text.step(1, true));
key("Shift+ArrowLeft", "shrink the selection by a word", () => text.step(-1, true));
key("q", "select the words that a suggestion quotes; again: those of the next one", () => text.choose(nuggets.nextQuoted()));
key("Escape", "select the whole update", () => text.choose(null));
key("/", "search the nuggets", () => at("search").focus());
key("r", "repeat the last match", repeat);
key("c", "judge like the similar update", () => {
  const [one] = hints.get(now)?.near ?? [];
  if (one && !at("near").hidden) takeNear(one);
});
key("Delete", "remove the last match", () => removeMatch((state(now).matches ?? []).length - 1));
key("u", "undo", undo);
noteKey(() => ({ kind: "update", id: rows.get(now).id, text: rows.get(now).text }));
await begin();
