// Disagreements, one card each: a number takes a judge's answer, b both, e another one.
import { act, askedItem, pageData, toast } from "./acts.js";
import { editor } from "./adjudication_edit.js";
import { element } from "./elements.js";
import { key, stepKeys } from "./keys.js";

const data = pageData();
const api = `/api/projects/${data.project}/topics/${data.topic}`;
const box = document.getElementById("cards");
const state = document.getElementById("state");
const cards = data.cards.map((card) => ({ ...card, element: null, done: "" }));
let current = -1;

function choose(at, focus = true) {
  if (!cards.length) return;
  cards[current]?.element.classList.remove("current");
  current = Math.max(0, Math.min(cards.length - 1, at));
  const chosen = cards[current].element;
  chosen.classList.add("current");
  if (focus) chosen.focus({ preventScroll: true });
  chosen.scrollIntoView({ block: "nearest" });
}

function count() {
  const left = cards.filter((card) => !card.done).length;
  state.textContent = cards.length ? `${left} of ${cards.length} disagreements to decide.` : "No disagreements.";
}

function finish(card, words) {
  card.done = words;
  card.element.classList.toggle("done", words !== "");
  card.element.querySelector(".outcome").textContent = words;
  count();
}

async function send(card, path, body, words) {
  if (card.done) return;
  finish(card, words);
  const next = cards.findIndex((one, at) => at > current && !one.done);
  if (next >= 0) choose(next);
  const answer = await act(`${api}/adjudication${path}`, body);
  if (!answer.ok) finish(card, "");
}

function decide(card, value, words) {
  const seen = Object.fromEntries(card.answers.map((one) => [one.account, one.version]));
  return send(card, "", { task: data.task, kind: card.kind, id: card.id, value, seen }, words);
}

function take(card, number) {
  const answer = card.answers[number - 1];
  if (!answer) return;
  const words = `Decided as ${answer.name} judged.`;
  if (data.task !== "clusters") decide(card, answer.value, words);
  else send(card, "/membership", { one: data.one, other: data.other, update: card.id, chosen: answer.account }, words);
}

const notRelevant = (card) => send(card, "/membership",
  { one: data.one, other: data.other, update: card.id, chosen: 0 }, "decided: not relevant");

function both(card) {
  if (card.both) decide(card, card.both, "decided: both together");
  else toast("These answers cannot be combined. Choose one, or edit.");
}

function edit(card) {
  if (card.done || data.task === "clusters") return;
  const there = card.element.querySelector("form.edit");
  if (there) { there.querySelector("input, select, button")?.focus(); return; }
  const form = editor(card, data.choices ?? [], (value) => { form.remove(); decide(card, value, "decided otherwise"); });
  card.element.append(form);
  form.querySelector("input, select, button")?.focus();
}

for (const [at, card] of cards.entries()) {
  const answers = element("div", { className: "answers" });
  for (const [number, answer] of card.answers.entries()) {
    const lines = element("ul", {}, ...answer.words.map((words) => element("li", { textContent: words })));
    for (const text of answer.with ?? []) lines.append(element("li", { className: "with", textContent: `with: ${text}` }));
    if (answer.more) lines.append(element("li", { className: "with", textContent: `and with ${answer.more} more` }));
    const button = element("button", { type: "button", className: "take" }, `${answer.name} `, element("kbd", { textContent: number + 1 }));
    button.addEventListener("click", () => { choose(at, false); take(card, number + 1); });
    answers.append(element("div", { className: "answer-of" }, button, lines));
  }
  const others = element("p", { className: "others" });
  const other = (words, cap, doing) => {
    const button = element("button", { type: "button" }, `${words} `, element("kbd", { textContent: cap }));
    button.addEventListener("click", () => { choose(at, false); doing(card); });
    others.append(button, " ");
  };
  if (card.both) other("Both together", "b", both);
  if (data.task === "clusters") other("Not relevant", "d", notRelevant);
  else other("Another answer", "e", edit);
  card.element = element("article", { className: "contest", tabIndex: -1, "aria-label": `${card.sort}: ${card.text || card.id}` },
    element("p", { className: "hint" }, element("b", { textContent: card.sort }), " · ", element("a", { href: card.link, textContent: card.id })),
    element("p", { className: "text", textContent: card.text || card.id }), answers, others,
    element("p", { className: "outcome", role: "status" }));
  card.element.addEventListener("focusin", () => { if (current !== at) choose(at, false); });
  box.append(card.element);
}
count();
const asked = cards.findIndex((card) => card.id === askedItem());
choose(Math.max(0, asked), asked >= 0);

const withCurrent = (doing) => () => { if (cards[current]) doing(cards[current]); };
stepKeys("next disagreement", "previous disagreement", (by) => choose(current + by));
const most = Math.max(0, ...cards.map((card) => card.answers.length));
for (let number = 1; number <= Math.min(most, 9); number += 1) {
  key(`${number}`, `agree with judge ${number}`, withCurrent((card) => take(card, number)));
}
if (data.task === "clusters") key("d", "decide: not relevant", withCurrent(notRelevant));
else {
  key("b", "decide: both together", withCurrent(both));
  key("e", "another answer", withCurrent(edit));
}
key("u", "undo your last decision", async () => {
  const answer = await act(`${api}/undo`, { task: data.task, decisions: true });
  if (answer.ok) location.reload();
});

async function agree(path, body, words) {
  const answer = await act(`${api}/adjudication${path}`, body);
  if (answer.ok) { toast(words); setTimeout(() => location.reload(), 400); }
}
// Finalising several judgments at once asks first: each would have to be reopened by itself.
const isMeant = (count) => count < 2 || confirm(`Make ${count} judgments final? Assessors can no longer change them; a project lead can reopen each.`);
const agreed = document.getElementById("agreed");
const makeAgreed = () => {
  if (agreed.disabled || !isMeant(data.agreed)) return;
  agreed.disabled = true;
  const words = `${data.agreed} made final`;
  if (data.task === "clusters") agree("/clusters", { one: data.one, other: data.other, count: data.agreed }, words);
  else agree("/agreed", { task: data.task, count: data.agreed }, words);
};
agreed.addEventListener("click", makeAgreed);
key("A", "make agreed judgments final", makeAgreed);
document.getElementById("whole")?.addEventListener("click", (event) => {
  if (!isMeant(data.whole)) return;
  event.target.disabled = true;
  agree("/clusters", { one: data.one, other: data.other, count: data.whole, whole: true }, `${data.whole} made final`);
});
