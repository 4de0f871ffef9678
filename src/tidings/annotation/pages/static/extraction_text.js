// A revision's text beside the one before it: what came, went and stayed; and what is selected in it, as characters of
// the new text (counted as the server counts them: whole characters, not halves of surrogate pairs).
import { countChars, offsetOf } from "./characters.js";

const box = document.getElementById("text");

export function showPieces(revision, onFold) {
  box.classList.toggle("first", revision.first);
  const nothing = !revision.pieces.some((one) => one.op === "ins" || one.op === "del");
  box.replaceChildren(...revision.pieces.map((one, n) => {
    if (one.op === "fold") {
      const fold = document.createElement("button");
      fold.type = "button";
      fold.className = "fold";
      fold.textContent = `… ${one.units.toLocaleString("en")} unchanged sentences`;
      fold.addEventListener("click", onFold);
      return fold;
    }
    const piece = document.createElement(one.op === "same" ? "span" : one.op);
    const text = revision.pieces[n - 1]?.op === "fold" ? one.text.trimStart() : one.text;
    piece.textContent = text;
    if (one.op !== "del") piece.dataset.start = one.start + countChars(one.text, one.text.length - text.length);
    return piece;
  }));
  if (nothing) box.prepend(Object.assign(document.createElement("p"), { className: "hint", textContent: "Nothing but white space changed." }));
  box.scrollTop = 0;
}

const parts = () => box.querySelectorAll("[data-start]");

// What is selected: {text, start, end}; null where nothing of the text is.
export function selected() {
  const chosen = getSelection();
  if (!chosen.rangeCount || chosen.isCollapsed || !chosen.getRangeAt(0).intersectsNode(box)) return null;
  const range = chosen.getRangeAt(0); // three clicks select to the beginning of what stands below: only our parts count
  let [words, start, end] = ["", null, null];
  for (const part of parts()) {
    if (!range.intersectsNode(part)) continue;
    const node = part.firstChild;
    const from = node === range.startContainer ? range.startOffset : 0;
    const to = node === range.endContainer ? range.endOffset : node.length;
    if (to <= from) continue;
    const first = Number(part.dataset.start);
    words += (end !== null && first + countChars(node.data, from) > end ? " … " : "") + node.data.slice(from, to);
    start ??= first + countChars(node.data, from);
    end = first + countChars(node.data, to);
  }
  if (start === null || !words.trim()) return null;
  const lead = countChars(words, words.length - words.trimStart().length);
  const tail = countChars(words, words.length) - countChars(words, words.trimEnd().length);
  return { text: words.trim().replace(/\s+/gu, " "), start: start + lead, end: end - tail };
}

function node(at, isEnd) {
  let last = null;
  for (const part of parts()) {
    const [first, text] = [Number(part.dataset.start), part.firstChild];
    if (!text) continue;
    const length = countChars(text.data, text.length);
    if (isEnd ? at > first && at <= first + length : at >= first && at < first + length) return [text, offsetOf(text.data, at - first)];
    if (first + length <= at) last = [text, text.length];
  }
  return last;
}

// Select characters start..end of the new text; false where they are not shown.
export function select(start, end) {
  const [from, to] = [node(start, false), node(end, true)];
  if (!from || !to) return false;
  getSelection().setBaseAndExtent(...from, ...to);
  from[0].parentElement.scrollIntoView({ block: "nearest" });
  return true;
}

export function clear() {
  getSelection().removeAllRanges();
}

// Move the end of the selection, or its beginning, by a word.
export function move(which, direction) {
  const chosen = getSelection();
  if (!selected()) return;
  if (which === "end") {
    chosen.modify("extend", direction, "word");
    return;
  }
  const range = chosen.getRangeAt(0);
  const [end, offset] = [range.endContainer, range.endOffset];
  chosen.setBaseAndExtent(end, offset, range.startContainer, range.startOffset);
  chosen.modify("extend", direction, "word");
  const moved = chosen.getRangeAt(0);
  chosen.setBaseAndExtent(moved.startContainer, moved.startOffset, end, offset);
}
