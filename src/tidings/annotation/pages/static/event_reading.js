// A topic's stories: sentences by document in time order, one of which is the current one. Used by the pages on events.
import { askedItem, onAnswer, waiting } from "./acts.js";
import { element } from "./elements.js";
import { key, stepKeys } from "./keys.js";
import { getJson } from "./requests.js";
import { finder } from "./search.js";
import { when } from "./times.js";

export class Reading {
  // `changed(sentence)` is called when another sentence becomes the current one.
  constructor(root, documents, changed) {
    this.root = root;
    this.changed = changed;
    this.sentences = [];
    this.byId = new Map();
    this.current = -1;
    this.place = `tidings-place:${location.pathname}`;
    const made = document.createDocumentFragment();
    for (const story of documents) {
      const list = element("ol");
      const title = [story.title || story.id, story.source, when(story.time)].filter(Boolean).join(" · ");
      made.append(element("section", { className: "story" }, element("h2", { textContent: title }), list));
      for (const [id, text] of story.sentences) {
        const sentence = { id, text, story, number: this.sentences.length };
        sentence.chips = element("span", { className: "chips" });
        sentence.row = element("li", { className: "sentence" }, element("span", { textContent: text }), sentence.chips);
        sentence.row.dataset.number = sentence.number;
        list.append(sentence.row);
        this.sentences.push(sentence);
        this.byId.set(id, sentence);
      }
    }
    if (documents.length) root.replaceChildren(made); // else the page says that there is nothing
    root.addEventListener("click", (event) => {
      const row = event.target.closest?.(".sentence");
      if (row && getSelection().isCollapsed && !event.shiftKey) this.go(Number(row.dataset.number), { scroll: false });
    });
  }

  get sentence() {
    return this.sentences[this.current];
  }

  // Begin where the address says (?at=… or #item=…), where one was when the page was left, or at the first sentence.
  begin() {
    const start = this.byId.get(askedItem()) ?? this.byId.get(localStorage.getItem(this.place)) ?? this.sentences[0];
    if (start) this.go(start.number, { focus: false });
    addEventListener("hashchange", () => {
      const there = this.byId.get(askedItem());
      if (there) this.go(there.number);
    });
  }

  go(number, { scroll = true, focus = true } = {}) {
    const next = this.sentences[number];
    if (!next) return false;
    const before = this.sentence;
    if (before) {
      before.row.removeAttribute("aria-current");
      before.row.removeAttribute("tabindex");
    }
    this.current = number;
    next.row.setAttribute("aria-current", "true");
    next.row.tabIndex = 0;
    if (focus) next.row.focus({ preventScroll: true });
    if (scroll) next.row.scrollIntoView({ block: "center" });
    localStorage.setItem(this.place, next.id);
    this.changed(next);
    return true;
  }

  // The next sentence (or the one before) that is shown.
  step(by, wanted = () => true) {
    for (let at = this.current + by; at >= 0 && at < this.sentences.length; at += by) {
      if (!this.sentences[at].row.hidden && wanted(this.sentences[at])) return this.go(at);
    }
    return false;
  }

  story(by) {
    const now = this.sentence?.story;
    if (by > 0) return this.step(1, ({ story }) => story !== now);
    const first = this.sentences.find(({ story }) => story === now);
    if (first && first.number < this.current) return this.go(first.number);
    const earlier = this.sentences[(first?.number ?? 0) - 1]?.story;
    return earlier ? this.go(this.sentences.find(({ story }) => story === earlier).number) : false;
  }

  // Show only sentences that have all the words; says how many.
  filter(words) {
    const fits = finder(words);
    let shown = 0;
    for (const { text, row } of this.sentences) {
      row.hidden = !fits(text);
      shown += !row.hidden;
    }
    for (const story of this.root.querySelectorAll(".story")) story.hidden = !story.querySelector("li:not([hidden])");
    return shown;
  }

  // Keys that every page of stories has, and its search field (`name` is the key that goes there).
  keys(search, found, name) {
    stepKeys("next sentence", "previous sentence", (by) => this.step(by));
    key("]", "next article", () => { this.story(1); });
    key("[", "start of this article, or the previous article", () => { this.story(-1); });
    key(name, "search the sentences; Enter goes to the first match, Esc clears the search", () => search.focus());
    search.addEventListener("input", () => {
      const shown = this.filter(search.value);
      found.textContent = search.value.trim() ? `${shown} found` : "";
    });
    search.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        search.value = "";
        search.dispatchEvent(new Event("input"));
        this.go(this.current);
      } else if (event.key === "Enter") {
        const first = this.sentences.find(({ row }) => !row.hidden);
        if (first) this.go(first.number);
        event.preventDefault();
      }
    });
  }
}

// Whether the page was loaded again: what was judged a moment before may be saved after the page was made, so what is
// there is asked for once more.
export const loadedAgain = () => performance.getEntriesByType("navigation")[0]?.type !== "navigate";

// What is there now, once nothing is on its way any more; null where it cannot be had.
let answers = 0;
onAnswer(() => { answers += 1; });
export async function settled(path) {
  for (;;) {
    while (waiting()) await new Promise((resolve) => setTimeout(resolve, 150));
    const before = answers;
    const found = await getJson(path);
    if (!found || (answers === before && !waiting())) return found;
  }
}

export const chip = (text, title = "", kind = "") =>
  element("span", { className: `chip ${kind}`, textContent: text, title });
