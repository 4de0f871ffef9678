// What is asked before a nugget is split, deleted or given needs, and of matches that are to be looked at again.
import { textElement } from "./elements.js";
import { choose, chosen, closeChoices, marked, partFields, tick } from "./extraction_forms.js";
import { finder } from "./search.js";

// Who does not lead deletes no nugget on which others' matches rest. What goes with it, and whose, is said before: Enter
// waits for that, and does nothing yet where there is anything that was not shown.
export function askDelete(one, asked, save) {
  let resting = null;
  const title = `Delete nugget ${one.id}?`;
  const looking = asked(`resting?nugget=${encodeURIComponent(one.id)}`).then((found) => { resting = found; });
  const answer = async () => {
    const shown = resting;
    await looking;
    if (!chosen(answer)) return null; // put aside for now
    if (!resting) return "Could not load what depends on it. Try again.";
    if (!resting.may) return shown ? "" : null;
    if (resting.matches && !shown) return null;
    const saved = await save({ with_matches: resting.matches });
    return saved.ok ? "" : saved.data.message;
  };
  choose({ title, lead: one.text, body: [], action: "Delete it" }, answer);
  looking.then(() => {
    if (resting && (resting.matches || !resting.may) && chosen(answer)) choose({ lead: one.text, ...goesWith(one, resting, title) }, answer);
  });
}

const matches = (number) => `${number.toLocaleString("en")} ${number === 1 ? "match" : "matches"}`;

function goesWith(one, resting, title) {
  const whose = ({ name, matches: number }) => (
    `${number === null ? "matches" : matches(number)} ${name === "you" ? "of yours" : name === "decided" ? "already decided" : `of ${name}`}`
  );
  const rest = textElement("ul", "");
  rest.append(...resting.whose.map((part) => textElement("li", whose(part))));
  if (resting.may) return { title, body: [textElement("p", "This also deletes:"), rest], action: `Delete it and ${matches(resting.matches)}` };
  const why = "Only a project lead can delete other judges' matches. Ask a lead, or merge it into another nugget.";
  return { title: `You cannot delete nugget ${one.id}`, body: [textElement("p", "It has:"), rest, textElement("p", why)], action: "Close" };
}

export function askNeeds(one, nuggets, save) {
  const search = textElement("input", "", { type: "search", placeholder: "Search" });
  search.setAttribute("aria-label", "Search for required nuggets");
  const picks = nuggets.filter((other) => other.id !== one.id && !other.pending).map((other) => ({
    id: other.id, words: `${other.id} ${other.text}`, ...tick(`${other.text} (${other.id})`, one.needs.includes(other.id)),
  }));
  picks.sort((first, second) => second.box.checked - first.box.checked);
  search.addEventListener("input", () => {
    const fits = finder(search.value);
    for (const pick of picks) pick.label.hidden = !fits(pick.words);
  });
  const box = textElement("div", "", { className: "pick" });
  box.append(...picks.map((pick) => pick.label));
  choose({
    title: `What does nugget ${one.id} need?`,
    lead: `${one.text} — check the nuggets it makes no sense without.`,
    body: [search, box],
    action: "Save",
  }, async () => {
    const answer = await save(picks.filter((pick) => pick.box.checked).map((pick) => pick.id));
    return answer.ok ? "" : answer.data.message;
  });
}

export async function askSplit(one, asked, send, done) {
  const found = (await asked(`linked?nugget=${encodeURIComponent(one.id)}`)) ?? { matches: [], others: 0 };
  const parts = [];
  const box = textElement("div", "");
  const shares = textElement("ul", "", { className: "shares" });
  const rows = found.matches.map((match) => {
    const item = document.createElement("li");
    const ticks = textElement("div", "", { className: "ticks" });
    ticks.setAttribute("role", "group");
    ticks.setAttribute("aria-label", "Which parts it matches");
    item.append(marked(match.text, match.spans), ticks);
    shares.append(item);
    return { match, ticks, boxes: [] };
  });
  const addPart = (text) => {
    const part = partFields(one.id, parts.length + 1, text, one.importance);
    parts.push(part);
    box.append(part.box);
    for (const row of rows) {
      const made = tick(`part ${parts.length}`, true);
      row.boxes.push(made.box);
      row.ticks.append(made.label);
    }
  };
  addPart(one.text);
  addPart("");
  const more = textElement("button", "Add a part", { type: "button" });
  more.addEventListener("click", () => { addPart(""); parts.at(-1).box.querySelector("textarea").focus(); });
  const others = found.others === null
    ? "Other judges' matches, if any, go to all parts, and those judges are asked to review them."
    : found.others
    ? `${found.others} ${found.others === 1 ? "match" : "matches"} by other judges go to all parts, and those judges are asked to review them.`
    : "";
  const legend = rows.length ? [textElement("h3", "Which parts do these updates match?"), shares] : [];
  choose({
    title: `Split nugget ${one.id}`,
    lead: `Part 1 keeps the id. ${others}`,
    body: [box, more, ...legend],
    action: "Split",
  }, async () => {
    const body = {
      nugget: one.id,
      expected: one.version,
      parts: parts.filter((part) => part.text().trim()).map((part) => ({
        text: part.text(), importance: part.importance(), time: one.time, ...(one.source ? { source: one.source } : {}),
      })),
    };
    if (body.parts.length < parts.length) return "Enter a text for each part.";
    body.shares = rows.map(({ match, boxes }) => ({
      layer: match.layer, update: match.update, parts: boxes.flatMap((one, part) => (one.checked ? [part] : [])),
    }));
    const answer = await send("split", body);
    if (!answer.ok) return answer.data.message;
    for (const part of parts) part.forget();
    done();
    return "";
  });
}

// One after the other; what is put aside is asked again another time.
export function askAgain(waiting, nugget, send, done) {
  const [one, ...rest] = waiting;
  if (!one) {
    closeChoices();
    done();
    return;
  }
  const picks = one.nuggets.filter(nugget).map((id) => ({
    id, ...tick(nugget(id).text, one.matches.some((match) => match.nugget === id)),
  }));
  const spans = one.matches.map((match) => [match.start, match.end]);
  const box = textElement("div", "", { className: "pick" });
  box.append(...picks.map((pick) => pick.label));
  choose({
    title: `Which of these does it match? ${rest.length ? `(${rest.length} more)` : ""}`,
    lead: "The nugget was split; its match went to all parts.",
    body: [marked(one.text, spans), box],
    action: rest.length ? "Save and next" : "Save",
  }, async () => {
    const wanted = picks.filter((pick) => pick.box.checked).map((pick) => pick.id);
    const answer = await send("again", { layer: one.layer, update: one.update, expected: one.version, nuggets: wanted });
    if (!answer.ok) return answer.data.message;
    askAgain(rest, nugget, send, done);
    return null;
  });
}
