// Links of other judges, accepted or rejected one by one; who made them is not known here.
import { act, askedItem, newKey, onAnswer, pageData, toast } from "./acts.js";
import { element } from "./elements.js";
import { chip, loadedAgain, settled } from "./event_reading.js";
import { key, stepKeys } from "./keys.js";
import { noteKey } from "./notes.js";
import { getJson } from "./requests.js";
import { finder } from "./search.js";
import { when } from "./times.js";

const data = pageData();
const documents = pageData("documents");
const at = (id) => document.getElementById(id);
const eventOf = new Map(data.events.map((one) => [one.id, one]));
const sentences = [];
const sentenceOf = new Map();
for (const story of documents) {
  for (const [id, text] of story.sentences) {
    sentenceOf.set(id, { id, text, story, number: sentences.length });
    sentences.push(sentenceOf.get(id));
  }
}
const decided = new Set(data.decided);
const latest = new Map();
const rows = new Map(); // by the id of the verdict
let order = [];
let current = null;

const placeOf = (link) => sentenceOf.get(link.sentences[0])?.number ?? 0;

function line(id) {
  const one = sentenceOf.get(id);
  return element("p", { textContent: one?.text ?? `sentence ${id}, which is not in this topic` });
}

function makeRow(link) {
  const story = sentenceOf.get(link.sentences[0])?.story;
  const verdict = element("span", { className: "chips" });
  const body = element("div", { className: "said" });
  const accept = element("button", { type: "button", textContent: "Accept", onclick: () => { go(link.id, { scroll: false }); decide(true); } });
  const reject = element("button", { type: "button", textContent: "Reject", onclick: () => { go(link.id, { scroll: false }); decide(false); } });
  const row = element("li", { className: "sentence link" },
    element("span", { className: "time", textContent: story ? `${story.title || story.id} · ${when(story.time)}` : "" }),
    body, element("span", { className: "buttons" }, accept, reject), verdict);
  row.addEventListener("click", (event) => {
    if (!event.target.closest("button") && getSelection().isCollapsed) go(link.id, { scroll: false });
  });
  rows.set(link.id, { ...link, row, body, verdict, accept, reject });
  body.append(...link.sentences.map(line));
  if (link.sentences.length > 1) body.prepend(element("span", { className: "chip group", textContent: `a group of ${link.sentences.length}` }));
  return row;
}

function render() {
  const made = [];
  rows.clear();
  order = [];
  for (const event of data.events) {
    const own = data.links.filter((link) => link.event === event.id).sort((one, other) => placeOf(one) - placeOf(other));
    const list = element("ol", {}, ...own.map(makeRow));
    order.push(...own.map(({ id }) => id));
    const add = element("button", { type: "button", className: "quiet", textContent: "Add a missing sentence", onclick: () => addMissing(event.id) });
    add.setAttribute("aria-label", `Add a missing sentence to event ${event.id}`);
    const head = element("div", { className: "event-head" }, element("h2", {}, element("b", { textContent: event.id }), ` ${event.text}`), add);
    const section = element("section", { className: "story", id: `event-${event.id}` }, head,
      element("p", { className: "time", textContent: when(event.time) }), list);
    made.push(section);
    if (!own.length) section.append(element("p", { className: "hint", textContent: data.opening ? "None of the sentences you verify is linked to it." : "No other judge linked a sentence to it." }));
  }
  at("links").replaceChildren(...made);
  for (const id of order) verdict(rows.get(id));
  progress();
}

function verdict(one) {
  const shown = one.accepted === null ? [] : [chip(one.accepted ? "accepted" : "rejected", "", one.accepted ? "yes" : "no")];
  if (one.added) shown.push(chip("added by you", "", "group"));
  one.verdict.replaceChildren(...shown);
  one.row.classList.toggle("judged", one.accepted !== null);
  one.accept.setAttribute("aria-pressed", String(one.accepted === true));
  one.reject.setAttribute("aria-pressed", String(one.accepted === false));
}

function progress() {
  const done = order.filter((id) => rows.get(id).accepted !== null).length;
  at("progress").max = Math.max(order.length, 1);
  at("progress").value = done;
  at("progress-text").textContent = `${done} of ${order.length} links decided`;
  at("own").hidden = !data.own;
  at("own").textContent = `${data.own} link${data.own === 1 ? " is" : "s are"} your own. Another judge verifies ${data.own === 1 ? "it" : "them"}.`;
  at("done").hidden = data.opening || !order.length || done < order.length;
}

// The current link is shown between the sentences that stand before and behind it in its story.
function context(one, shown) {
  for (const part of one.body.querySelectorAll(".context")) part.remove();
  const [first, last] = [sentenceOf.get(one.sentences[0]), sentenceOf.get(one.sentences.at(-1))];
  const [before, behind] = [sentences[(first?.number ?? 0) - 1], sentences[(last?.number ?? -2) + 1]];
  if (!shown) return;
  if (before && before.story === first?.story) one.body.prepend(element("p", { className: "context", textContent: before.text }));
  if (behind && behind.story === last?.story) one.body.append(element("p", { className: "context", textContent: behind.text }));
}

function go(id, { scroll = true, focus = true } = {}) {
  const next = rows.get(id);
  if (!next) return;
  const before = rows.get(current);
  if (before) {
    before.row.removeAttribute("aria-current");
    before.row.removeAttribute("tabindex");
    context(before, false);
  }
  current = id;
  context(next, true);
  at("current-event").textContent = `Does it report event ${next.event}: ${eventOf.get(next.event).text}?`;
  next.row.setAttribute("aria-current", "true");
  next.row.tabIndex = 0;
  if (focus) next.row.focus({ preventScroll: true });
  if (scroll) next.row.scrollIntoView({ block: "center" });
}

function step(by, wanted = () => true) {
  for (let n = order.indexOf(current) + by; n >= 0 && n < order.length; n += by) {
    if (wanted(rows.get(order[n]))) {
      go(order[n]);
      return true;
    }
  }
  return false;
}

function decide(accepted) {
  const one = rows.get(current);
  if (!one) return;
  one.accepted = accepted;
  verdict(one);
  progress();
  const actKey = newKey();
  latest.set(one.id, actKey);
  act(`${data.api}/verification/decide`, { key: actKey, unit: one.unit, event: one.event, accepted });
  if (!step(1)) toast("This is the last link.");
}

function undo() {
  latest.clear();
  act(`${data.api}/undo`, { task: "verification" });
}

async function refresh() {
  const found = await settled(`${data.api}/verification`);
  if (!found) return;
  data.links = found.links;
  data.own = found.own;
  data.linked = found.linked;
  const there = current;
  render();
  if (rows.has(there)) go(there);
  else if (order.length) go(order[0]);
}

// Where nobody is assigned, links are shown of what was opened; the server says which sentence is next.
function openNext() {
  act(`${data.api}/verification/open`);
}

onAnswer(async ({ ok, data: answer, path, body }) => {
  if (!path.startsWith(`${data.api}/`)) return;
  if (ok && path.endsWith("/open")) {
    await refresh();
    const units = new Set(answer.objects.map(({ id }) => id));
    const first = order.find((id) => units.has(rows.get(id).unit) && rows.get(id).accepted === null);
    if (first) go(first);
    return;
  }
  if (!ok || path.endsWith("/add")) {
    refresh();
    return;
  }
  for (const one of answer.objects) {
    const shown = rows.get(one.id);
    if (one.kind !== "verdict" || (latest.get(one.id) ?? body.key) !== body.key) continue;
    if (!shown || shown.added) {
      refresh();
      return;
    }
    shown.accepted = one.value?.accepted ?? null;
    verdict(shown);
    if (path.endsWith("/undo")) go(one.id);
  }
  progress();
});

// A missing link: the sentence is looked for in the whole topic.
const dialog = at("missing");
const [words, hits] = [at("missing-words"), at("missing-hits")];
let wanted = null;

function addMissing(event = rows.get(current)?.event ?? data.events[0]?.id) {
  if (!event) return;
  wanted = event;
  at("missing-title").textContent = `A missing sentence of event ${event}: ${eventOf.get(event).text}`;
  words.value = "";
  find();
  dialog.showModal();
  words.focus();
}

function find() {
  const fits = finder(words.value);
  const there = new Set(data.links.filter((link) => link.event === wanted && link.sentences.length === 1).map((link) => link.unit));
  const linked = new Set(data.linked);
  const found = sentences.filter(({ id, text }) => !there.has(id) && !decided.has(id) && !(data.opening && linked.has(id)) && fits(text));
  hits.replaceChildren(...found.slice(0, 30).map((one) => element("li", {}, element("button", {
    type: "button", className: "quiet words", textContent: one.text, onclick: () => {
      dialog.close();
      if (data.opening) act(`${data.api}/verification/open`, { sentence: one.id });
      act(`${data.api}/verification/add`, { sentence: one.id, event: wanted });
    },
  }), element("span", { className: "time", textContent: `${one.story.title || one.story.id} · ${when(one.story.time)}` }))));
  at("missing-count").textContent = found.length > 30 ? `the first 30 of ${found.length}` : `${found.length} found`;
}

words.addEventListener("input", find);
dialog.addEventListener("keydown", (event) => {
  const all = [words, ...hits.querySelectorAll("button")];
  const now = all.indexOf(document.activeElement);
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    all[now + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
    event.preventDefault();
  } else if (event.key === "Enter" && document.activeElement === words) {
    hits.querySelector("button")?.click();
    event.preventDefault();
  }
});
dialog.addEventListener("close", () => { if (current) go(current); });

at("statistics").addEventListener("toggle", async (event) => {
  if (!event.target.open) return;
  const found = await getJson(`${data.api}/verification/statistics`);
  if (!found) return;
  const percent = (share) => (share === null ? "–" : `${Math.round(100 * share)} %`);
  at("statistics-text").textContent = `Of ${found.sentences} sentences, ${found.off} report no event (${percent(found.shares.off)}), `
    + `${found.single} of one (${percent(found.shares.single)}), ${found.multi} of several (${percent(found.shares.multi)}).`;
});

stepKeys("next link", "previous link", step);
key("Enter", "accept this link", () => decide(true));
key("x", "reject this link", () => decide(false));
key(".", "next undecided link", () => { step(1, ({ accepted }) => accepted === null); });
key("m", "add a sentence that all judges missed", () => addMissing());
key("u", "undo", undo);
if (data.opening) {
  key("v", "verify the links of one more sentence; you can then no longer link it", openNext);
  at("open-next").addEventListener("click", openNext);
}
noteKey(() => rows.get(current) && { kind: "verdict", id: current, text: rows.get(current).body.textContent });
for (const [id, action] of [["undo", undo], ["add-missing", () => addMissing()], ["next-open", () => step(1, ({ accepted }) => accepted === null)]]) at(id).addEventListener("click", action);
render();
const asked = askedItem();
if (order.length) go(order.find((id) => id === asked || (asked && id.startsWith(`${asked}|`))) ?? order.find((id) => rows.get(id).accepted === null) ?? order[0], { focus: false });
if (loadedAgain()) refresh();
