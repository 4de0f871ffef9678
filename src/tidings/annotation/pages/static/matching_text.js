// The update that is judged: its words, what of it is chosen, and what is matched. Places in the text are counted in
// characters as the server counts them (code points), not in the browser's halves of them.
import { trimSpan } from "./characters.js";

const box = document.getElementById("text");
const words = document.getElementById("chosen");

let points = [];
let places = []; // [start, end] of each word
let chosen = null; // {start, end}, or null: the whole update
let ends = null; // numbers of the words at which choosing by keys began and is now
let spans = [];
let pointed = null;

export const length = () => points.length;
export const quote = (start, end) => points.slice(start, end).join("");
export const selection = () => chosen ?? trimSpan(points, 0, points.length);
export const hasChosen = () => chosen !== null;

export function showText(text) {
  points = Array.from(text);
  places = [];
  points.forEach((char, at) => {
    if (!char.trim()) return;
    if (at && points[at - 1].trim()) places.at(-1)[1] = at + 1;
    else places.push([at, at + 1]);
  });
  chosen = ends = pointed = null;
  spans = [];
  draw();
}

export function showSpans(list) {
  spans = list;
  draw();
}

export function point(span) {
  pointed = span;
  draw();
}

export function choose(span) {
  chosen = span;
  if (!span) ends = null;
  draw();
}

// One word on (or back); with `longer` what is chosen grows or shrinks at its moving end.
export function step(by, longer) {
  if (!places.length) return;
  if (!ends && chosen) {
    const inside = places.flatMap(([start, end], at) => (start < chosen.end && end > chosen.start ? [at] : []));
    ends = [inside[0] ?? 0, inside.at(-1) ?? 0];
  }
  if (!ends) ends = by > 0 ? [0, 0] : [places.length - 1, places.length - 1];
  else {
    const moved = Math.min(Math.max(ends[1] + by, 0), places.length - 1);
    ends = longer ? [ends[0], moved] : [moved, moved];
  }
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  chosen = { start: places[low][0], end: places[high][1] };
  draw();
}

function draw() {
  const cuts = new Set([0, points.length]);
  for (const span of [...spans, chosen, pointed]) if (span) cuts.add(span.start).add(span.end);
  const sorted = [...cuts].sort((a, b) => a - b);
  const parts = [];
  for (let n = 1; n < sorted.length; n += 1) {
    const [start, end] = [sorted[n - 1], sorted[n]];
    const within = (span) => span && span.start <= start && end <= span.end;
    const covered = spans.filter(within).length;
    const part = document.createElement("span");
    part.textContent = quote(start, end);
    part.classList.toggle("in", covered > 0);
    part.classList.toggle("in2", covered > 1);
    part.classList.toggle("pointed", Boolean(within(pointed)));
    part.classList.toggle("chosen", Boolean(within(chosen)));
    parts.push(part);
  }
  box.replaceChildren(...parts);
  words.textContent = chosen
    ? `Selected: “${quote(chosen.start, chosen.end)}”, characters ${chosen.start} to ${chosen.end}. Esc: the whole update.`
    : "The whole update is selected. To match part of it, select words with the mouse or with ← → and Shift, or the words that a suggestion quotes with Q.";
}

// What is marked with mouse or finger, as soon as it is let go.
function marked() {
  const found = getSelection();
  if (!found.rangeCount || found.isCollapsed) return;
  const range = found.getRangeAt(0);
  if (!box.contains(range.startContainer) && !box.contains(range.endContainer)) return;
  const inside = document.createRange();
  inside.selectNodeContents(box);
  if (box.contains(range.startContainer)) inside.setStart(range.startContainer, range.startOffset);
  if (box.contains(range.endContainer)) inside.setEnd(range.endContainer, range.endOffset);
  const before = document.createRange();
  before.selectNodeContents(box);
  before.setEnd(inside.startContainer, inside.startOffset);
  const from = Array.from(before.toString()).length;
  const { start, end } = trimSpan(points, from, from + Array.from(inside.toString()).length);
  if (start === end) return;
  found.removeAllRanges();
  ends = null;
  choose({ start, end });
}

document.addEventListener("pointerup", () => setTimeout(marked));
document.addEventListener("touchend", () => setTimeout(marked));
box.addEventListener("click", () => {
  if (getSelection().isCollapsed && chosen && !ends) choose(null);
});
