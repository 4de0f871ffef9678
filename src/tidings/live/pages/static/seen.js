// What was on screen for a second counts as seen: it is not shown again on the page "While you were away".
import { base, postJson } from "./requests.js";
import { joinRanges } from "./seen_ranges.js";

const LOOKED_MS = 1000;
const SENT_EVERY_MS = 2000;

const waiting = new Map(); // item → when it came on screen
const noted = new Set();
let ranges = []; // [event, from, to], not sent yet

const items = () => document.querySelectorAll("[data-event][data-seq], [data-stream] [data-seq].item");

function eventOf(item) {
  const own = item.closest("[data-event]") ?? item.querySelector("[data-event]");
  return own?.dataset.event ?? "";
}

// Of a whole story each item stands for all numbers down to the next one: no update is between them.
function firstOf(item) {
  const seq = Number(item.dataset.seq);
  const list = item.closest("[data-whole=true]");
  if (!list) return seq;
  let next = item.nextElementSibling;
  while (next && !next.dataset.seq) next = next.nextElementSibling;
  return next && Number(next.dataset.seq) < seq ? Number(next.dataset.seq) + 1 : seq;
}

function note(item) {
  const seq = Number(item.dataset.seq);
  const event = eventOf(item);
  if (!seq || !event || noted.has(item.dataset.seq)) return;
  noted.add(item.dataset.seq);
  ranges.push([event, firstOf(item), seq]);
}

const observer = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) waiting.set(entry.target, performance.now());
      else waiting.delete(entry.target);
    }
  },
  { threshold: 0.6 },
);

const observed = new WeakSet();
function observe() {
  for (const item of items()) {
    if (observed.has(item) || item.closest("template")) continue;
    observed.add(item);
    observer.observe(item);
  }
}

async function send() {
  const now = performance.now();
  if (document.visibilityState !== "visible") {
    for (const item of waiting.keys()) waiting.set(item, now); // nobody looks
    return;
  }
  for (const [item, since] of waiting) {
    if (now - since < LOOKED_MS) continue;
    waiting.delete(item);
    note(item);
  }
  const toSend = joinRanges(ranges);
  ranges = [];
  for (const [event, from, to] of toSend) {
    try {
      const answer = await postJson(`${base}/api/seen`, { event, from, to }, { keepalive: true });
      if (answer.status >= 500 || answer.status === 429) ranges.push([event, from, to]);
    } catch {
      ranges.push([event, from, to]); // no connection: again later
    }
  }
}

observe();
new MutationObserver(observe).observe(document.getElementById("main"), { childList: true, subtree: true });
setInterval(send, SENT_EVERY_MS);
