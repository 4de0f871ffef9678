// An event's story: updates arrive as they are emitted, and never moves what is being read.
import { key } from "./keys.js";
import { followStream, stateWriter } from "./live_stream.js";
import { refresher } from "./refresh.js";
import { dayWords, isoDate } from "./times.js";
import { makeItem } from "./update_items.js";

const list = document.getElementById("updates");
const template = document.getElementById("update-template");
const button = document.getElementById("show-new");
const title = document.title;
const isWhole = list.dataset.whole === "true"; // the newest of all, nothing filtered out
const MOST_SHOWN = 400;
const MOST_HELD = 300;
const RESTS_MS = 10_000;

const held = []; // [seq, update], the oldest first
let count = 0; // of what the button speaks of
let unseen = 0; // of what came while the page was out of sight
let moved = -Infinity; // when the pointer was last moved over the list

list.addEventListener("pointermove", () => (moved = performance.now()));

function isReading() {
  if (window.scrollY > 60 || document.querySelector("dialog[open]")) return true;
  if (document.visibilityState !== "visible") return false;
  if (performance.now() - moved < RESTS_MS || list.contains(document.activeElement)) return true;
  const chosen = getSelection();
  return chosen && !chosen.isCollapsed && list.contains(chosen.anchorNode);
}

const refresh = refresher(() => !isReading());

function dayOf(update) {
  const date = isoDate(update.time);
  const first = list.querySelector("li.day");
  if (first?.dataset.date === date) return first;
  const day = document.createElement("li");
  day.className = "day";
  day.dataset.date = date;
  const words = document.createElement("h3");
  words.textContent = dayWords(update.time);
  day.append(words);
  list.prepend(day);
  return day;
}

function insert(seq, update) {
  if (document.getElementById(`u${seq}`)) return;
  const item = makeItem(template, seq, update, list.dataset.links);
  item.classList.add("arrived");
  dayOf(update).after(item);
  document.getElementById("no-update")?.remove();
  const items = list.querySelectorAll("li.item");
  if (items.length > MOST_SHOWN) {
    for (const item of [...items].slice(MOST_SHOWN - 50)) item.remove();
    for (const day of list.querySelectorAll("li.day")) if (!day.nextElementSibling?.matches(".item")) day.remove();
    const last = [...list.querySelectorAll("li.item")].at(-1);
    const older = document.getElementById("older");
    older.hidden = false;
    older.querySelector("a").href = `?before=${last.dataset.seq}`;
  }
}

function insertHeld() {
  for (const [seq, update] of held.splice(0)) insert(seq, update);
  count = 0;
  write();
  list.dispatchEvent(new CustomEvent("tidings:inserted", { bubbles: true }));
  refresh();
}

function write() {
  button.hidden = !count;
  button.textContent = isWhole ? `${count} new` : `${count} new in the full story`;
  document.title = unseen ? `(${unseen}) ${title}` : title;
}

function settle() {
  if (isWhole && held.length && count <= MOST_HELD && !isReading()) insertHeld();
}

function showNew() {
  if (!isWhole || count > MOST_HELD) {
    location.assign(list.dataset.story);
    return;
  }
  insertHeld();
  scrollTo({ top: 0 });
  document.getElementById("story-title").focus({ preventScroll: true });
}

followStream(list.dataset.stream, Number(list.dataset.cursor), {
  begun: Number(list.dataset.begun),
  take(kind, seq, output) {
    if (kind !== "update") {
      refresh();
      return;
    }
    count += 1;
    if (document.visibilityState !== "visible") unseen += 1;
    if (isWhole && count <= MOST_HELD) held.push([seq, output]);
    else held.length = 0;
    settle();
    write();
    if (!isWhole) refresh();
  },
  onState: stateWriter(document.getElementById("live-state")),
});

button.addEventListener("click", showNew);
addEventListener("scroll", () => window.scrollY < 10 && settle(), { passive: true });
setInterval(settle, 2000);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") unseen = 0;
  settle();
  write();
});

function step(by) {
  const items = [...list.querySelectorAll("li.item")];
  const at = items.indexOf(document.activeElement?.closest?.("li.item"));
  const next = at < 0 ? (by > 0 ? items[0] : undefined) : items[at + by];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
}

key("n", "show new updates", () => (button.hidden ? false : showNew()));
key("j", "next update", () => step(1));
key("k", "previous", () => step(-1));
key("l", "open the update", () => document.activeElement?.querySelector?.("a.when")?.click());
key("t", "back to top", () => {
  document.activeElement?.blur?.();
  scrollTo({ top: 0 });
});
key("/", "search", () => location.assign(list.dataset.search));
