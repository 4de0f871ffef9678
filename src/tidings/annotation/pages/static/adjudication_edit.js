// Another answer than any judge's, by the kind of what is judged: a form that gives the value of the object.
import { countChars, sliceChars } from "./characters.js";
import { element } from "./elements.js";

function select(label, options, chosen) {
  const made = element("select", {});
  for (const [value, words] of options) made.append(element("option", { value, textContent: words, selected: value === `${chosen}` }));
  return [element("label", { textContent: `${label} ` }, made), made];
}

const GRADES = {
  relevance: [["0", "not relevant"], ["1", "relevant"], ["2", "highly relevant"]],
  grade: [["1", "1: unrelated"], ["2", "2: related, nothing new"], ["3", "3: new, minor role"], ["4", "4: new, main role"]],
};
const YES_NO = [["true", "yes"], ["false", "no"]];

// The parts of a form and a function that reads the value from it.
function parts(card, choices) {
  const [first] = card.answers;
  if (card.kind in GRADES) {
    const [label, grade] = select("Grade", GRADES[card.kind], first.value.grade);
    return [[label], () => ({ grade: Number(grade.value) })];
  }
  if (card.kind === "verdict") {
    const [label, accepted] = select("Accepted", YES_NO, first.value.accepted);
    return [[label], () => ({ accepted: accepted.value === "true" })];
  }
  if (card.kind === "answer") {
    const [one, sentence] = select("Sentence", [["1", "1"], ["2", "2"], ["3", "3"]], first.value.sentence);
    const [two, important] = select("Important", YES_NO, first.value.important);
    return [[one, two], () => ({ sentence: Number(sentence.value), important: important.value === "true" })];
  }
  return links(card, choices);
}

// Links to nuggets (with spans) or to events: those of any judge as boxes, and any other one from the list.
function links(card, choices) {
  const spans = card.kind === "matches";
  const names = new Map(choices.map((one) => [one.id, one.text]));
  const rows = [];
  const list = element("div", { className: "links-edit" });
  const add = (target, start, end, checked) => {
    const row = { target, start, end };
    row.box = element("input", { type: "checkbox", checked });
    const quoted = element("q", { textContent: spans ? sliceChars(card.text, start, end) : "" });
    const line = element("div", { className: "link-edit" }, element("label", { className: "box" }, row.box, ` ${names.get(target) ?? target}`));
    if (spans) {
      const use = element("button", { type: "button", textContent: "Use the marked text" });
      use.addEventListener("click", () => {
        const marked = selection(card);
        if (!marked) return;
        [row.start, row.end] = marked;
        quoted.textContent = sliceChars(card.text, ...marked);
        row.box.checked = true;
      });
      line.append(quoted, use);
    }
    list.append(line);
    rows.push(row);
  };
  for (const one of spans ? card.both.matches : card.both.events.map((event) => ({ nugget: event }))) {
    const mine = card.answers[0].value;
    const checked = spans
      ? mine.matches.some((m) => m.nugget === one.nugget && m.start === one.start && m.end === one.end)
      : mine.events.includes(one.nugget);
    add(one.nugget, one.start, one.end, checked);
  }
  const [label, more] = select(spans ? "Another nugget" : "Another event", [["", "…"], ...choices.map((one) => [one.id, one.text])], "");
  more.addEventListener("change", () => {
    if (!more.value) return;
    const marked = spans ? selection(card) ?? [0, countChars(card.text)] : [0, 0];
    add(more.value, ...marked, true);
    more.value = "";
  });
  const read = () => {
    const chosen = rows.filter((row) => row.box.checked);
    if (!spans) return { events: chosen.map((row) => row.target) };
    return { matches: chosen.map(({ target, start, end }) => ({ nugget: target, start, end, automatic: false })) };
  };
  return [[list, label], read];
}

// What is marked in the card's text, as half-open characters, or null.
function selection(card) {
  const text = card.element.querySelector(".text");
  const chosen = getSelection();
  if (!chosen.rangeCount || chosen.isCollapsed || !text.contains(chosen.anchorNode) || !text.contains(chosen.focusNode)) return null;
  const range = chosen.getRangeAt(0);
  return [countChars(card.text, range.startOffset), countChars(card.text, range.endOffset)];
}

export function editor(card, choices, decided) {
  const [inside, read] = parts(card, choices);
  const form = element("form", { className: "edit" }, ...inside,
    element("p", {}, element("button", { className: "main", textContent: "Decide this" })));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    decided(read());
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { form.remove(); card.element.focus(); }
  });
  return form;
}
