// Going through the revisions: which is shown, which are read, which of its changes is selected.
import { toast } from "./acts.js";
import * as text from "./extraction_text.js";
import { key, stepKeys } from "./keys.js";
import { stamp } from "./times.js";

const at = (id) => document.getElementById(id);
const fetched = new Map(); // id and whether whole → what the server said
const read = new Set();
let page = { revisions: [] };
let tools = null;
let now = -1;
let shown = null; // the revision on the screen
let whole = false;
let passage = -1;
let chosenNow = null;

export const current = () => shown;
export function chosen() {
  choose(); // a key may come before the browser says that the selection has changed
  return chosenNow;
}

export function begin(given, makes) {
  page = given;
  tools = makes;
  for (const id of page.read) read.add(id);
  if (!page.revisions.length) return;
  at("which").replaceChildren(...page.revisions.map(([id, time], place) => new Option(label(id, time, place), place)));
  at("which").addEventListener("change", () => go(Number(at("which").value)));
  at("previous").addEventListener("click", () => go(now - 1));
  at("following").addEventListener("click", next);
  at("unread").addEventListener("click", unread);
  at("mark").addEventListener("click", () => mark(!read.has(id())));
  at("whole").addEventListener("click", toggle);
  at("write").addEventListener("click", tools.write);
  for (const button of at("selected").querySelectorAll("[data-importance]")) {
    button.addEventListener("click", () => tools.setImportance(Number(button.dataset.importance)));
  }
  at("selected").addEventListener("pointerdown", (event) => event.preventDefault()); // what is selected stays so
  let waiting = false;
  document.addEventListener("selectionchange", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; choose(); });
  });
  document.addEventListener("close", choose, true); // of a dialog, which took what was selected
  addEventListener("popstate", (event) => { if (event.state?.at) show(event.state.at, { push: false }); });
  stepKeys("next change", "previous change", step);
  key("ArrowRight", "next revision; marks this one read", next);
  key("ArrowLeft", "previous revision", () => go(now - 1));
  key("g", "next unread revision; marks this one read", unread);
  key("r", "mark this revision read or unread", () => mark(!read.has(id())));
  key("w", "show the whole text or only changes", toggle);
  key("Shift+ArrowRight", "extend the selection by a word", () => text.move("end", "forward"));
  key("Shift+ArrowLeft", "shrink the selection by a word", () => text.move("end", "backward"));
  key("[", "start the selection a word earlier", () => text.move("start", "backward"));
  key("]", "start the selection a word later", () => text.move("start", "forward"));
  const wanted = page.revisions.findIndex(([one]) => one === page.at);
  const first = page.revisions.findIndex(([one]) => !read.has(one));
  go(wanted >= 0 ? wanted : Math.max(first, 0), { push: false });
}

const id = (place = now) => page.revisions[place]?.[0];
const label = (name, time, place) => `${read.has(name) ? "✓" : "·"} ${place + 1}  ${stamp(time)}`;

function choose() {
  if (!page.revisions.length) return;
  const held = at("selected").contains(document.activeElement) || document.querySelector("dialog[open]");
  if (held && getSelection().isCollapsed && chosenNow) return;
  chosenNow = shown && text.selected();
  at("selected").hidden = !chosenNow;
  at("words").textContent = chosenNow?.text ?? "";
}

async function fetchRevision(name, all) {
  const place = `${all} ${name}`;
  if (!fetched.has(place)) {
    const found = await tools.asked(`revision?id=${encodeURIComponent(name)}&whole=${all}`);
    if (!found) return null;
    if (fetched.size > 40) fetched.delete(fetched.keys().next().value);
    fetched.set(place, found);
  }
  return fetched.get(place);
}

async function go(place, { push = true, span = null } = {}) {
  if (place < 0 || place >= page.revisions.length) {
    toast(place < 0 ? "This is the first revision." : "This is the last revision.");
    return;
  }
  now = place;
  const found = await fetchRevision(id(place), whole);
  if (now !== place) return;
  if (!found) {
    toast("Could not load this revision. Try again.");
    return;
  }
  shown = found;
  passage = -1;
  text.clear();
  text.showPieces(found, () => toggle());
  at("revision-title").textContent = `Revision ${place + 1} of ${page.revisions.length.toLocaleString("en")}`;
  const words = [`${stamp(found.time)} UTC`, found.title, found.author && `by ${found.author}`, found.comment && `“${found.comment}”`];
  at("about").textContent = `${words.filter(Boolean).join(" · ")} · ${changes(found)}`;
  const address = new URL(location.href);
  if (address.searchParams.get("at") !== found.id) {
    address.searchParams.set("at", found.id);
    history[push ? "pushState" : "replaceState"]({ at: found.id }, "", address);
  }
  draw();
  if (span) selectSpan(span);
  else at("text").focus({ preventScroll: true });
  if (place + 1 < page.revisions.length) fetchRevision(id(place + 1), whole);
}

const changes = (one) => {
  const count = one.passages.length;
  return one.first ? "the first" : `${count.toLocaleString("en")} changed ${count === 1 ? "sentence" : "sentences"}`;
};

export function show(name, { span = null, push = true } = {}) {
  const place = page.revisions.findIndex(([one]) => one === name);
  if (place < 0) toast("That revision does not exist.");
  else if (place === now && shown && span) selectSpan(span);
  else go(place, { span, push });
}

async function selectSpan({ start, end }) {
  if (text.select(start, end)) return;
  whole = true;
  await go(now, { push: false });
  text.select(start, end);
}

function draw() {
  at("which").value = String(now);
  at("previous").disabled = now <= 0;
  at("following").disabled = now + 1 >= page.revisions.length;
  at("mark").setAttribute("aria-pressed", String(read.has(id())));
  at("whole").setAttribute("aria-pressed", String(whole));
  const done = page.revisions.filter(([one]) => read.has(one)).length;
  at("progress").textContent = `${done.toLocaleString("en")} of ${page.revisions.length.toLocaleString("en")} read`;
  at("unread").disabled = done === page.revisions.length;
}

function mark(is, name = id()) {
  if (!name || read.has(name) === is) return;
  if (is) read.add(name);
  else read.delete(name);
  const place = page.revisions.findIndex(([one]) => one === name);
  at("which").options[place].textContent = label(name, page.revisions[place][1], place);
  tools.send("read", { revision: name, read: is });
  draw();
}

function next() {
  mark(true);
  go(now + 1);
}

function unread() {
  mark(true);
  const order = [...page.revisions.keys()];
  const place = [...order.slice(now + 1), ...order.slice(0, now)].find((one) => !read.has(id(one)));
  if (place === undefined) toast("All revisions are read.");
  else go(place);
}

async function toggle() {
  whole = !whole;
  const before = shown?.id === id() && chosenNow;
  await go(now, { push: false });
  if (before) text.select(before.start, before.end);
}

function step(by) {
  if (!shown) return;
  const there = shown.passages;
  passage = Math.min(Math.max(passage + by, 0), there.length - 1);
  if (!there.length) toast("No changes here. Press → for the next.");
  else text.select(...there[passage]);
}
