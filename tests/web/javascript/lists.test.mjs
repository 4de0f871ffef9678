// Lists of the desk: their order, what a search leaves, what keys go to; and the words that are chosen in a text.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { fresh, makePage } from "./page.mjs";

const words = (list) => list.children.map((row) => row.textContent);

test("a long list makes the first rows, more when they are wanted, and keeps those that stay", async () => {
  makePage({ list: "ol" });
  const { longList } = await fresh("longlist.js");
  const [list, made] = [document.getElementById("list"), []];
  const rows = longList(list, list, (id) => {
    made.push(id);
    return Object.assign(document.createElement("li"), { textContent: `row ${id}` });
  });
  const ids = Array.from({ length: 200 }, (_, number) => number);
  rows.show(ids);
  assert.equal(list.children.length, 61, "sixty, and what stands for the rest");
  assert.equal(rows.at(100), null);
  assert.equal(rows.reveal(100).textContent, "row 100");
  assert.ok(made.length > 100 && made.length < 200);
  assert.equal(rows.reveal(-5), null);
  const [kept, count] = [rows.at(7), made.length];
  rows.show([9, 7, 3]);
  assert.deepEqual(words(list), ["row 9", "row 7", "row 3"]);
  assert.equal(rows.at(7), kept);
  assert.equal(made.length, count);
  rows.anew(7);
  assert.notEqual(rows.at(7), kept);
  assert.deepEqual(words(list), ["row 9", "row 7", "row 3"]);
  rows.forget();
  rows.show([1]);
  assert.deepEqual(words(list), ["row 1"]);
});

let list, rows, ticks;
const nugget = (id, text, time, more = {}) => ({ id, text, time, importance: 1, version: 1, needs: [], ...more });
beforeEach(async () => {
  makePage({ nuggets: "ol", search: "input", empty: "p", counted: "span" });
  list = await fresh("extraction_nuggets.js");
  list.begin(() => [], (count) => { ticks = count; });
  list.fill([nugget("N3", "Ten are missing", 300), nugget("N1", "A dam burst", 100), nugget("N2", "The dam was old", 300)]);
  rows = document.getElementById("nuggets");
});
const order = () => rows.children.map((row) => row.querySelector("small").textContent.split(" · ")[1]);
const search = (typed) => {
  document.getElementById("search").value = typed;
  document.getElementById("search").send("input");
  return rows.children.filter((row) => !row.hidden).map((row) => row.querySelector("small").textContent.split(" · ")[1]);
};

test("nuggets stand by time, and those of one moment by their id", () => {
  assert.deepEqual(order(), ["N1", "N2", "N3"]);
  list.put(nugget("N4", "Before all", 50));
  list.put(nugget("N1", "A dam burst later", 400));
  assert.deepEqual(order(), ["N4", "N2", "N3", "N1"]);
  assert.match(rows.children[0].textContent, /1970-01-01 00:00 · N4/);
});

test("a search leaves those with all its words, in text or id", () => {
  assert.deepEqual(search("DAM "), ["N1", "N2"]);
  assert.equal(document.getElementById("counted").textContent, "2 of 3");
  assert.deepEqual(search("n3"), ["N3"]);
  assert.deepEqual(search("dam missing"), []);
  assert.equal(document.getElementById("empty").textContent, "No matching nuggets.");
  list.put(nugget("N5", "Another dam", 500));
  assert.ok(search("dam").includes("N5"));
  assert.equal(search("").length, 4);
});

test("keys go through what is shown, and stop at its ends", () => {
  list.step(-1);
  assert.equal(list.current().id, "N3");
  search("dam");
  list.step(1);
  assert.equal(list.current().id, "N1");
  for (let n = 0; n < 3; n += 1) list.step(1);
  assert.equal(list.current().id, "N2");
});

test("a nugget that is gone hands on to its neighbour, and is not ticked any more", () => {
  list.setNow("N2");
  for (const id of ["N2", "N1"]) list.setTicked(id, true);
  assert.equal(ticks, 2);
  list.remove("N2");
  assert.equal(ticks, 1);
  assert.equal(list.current().id, "N3");
  assert.deepEqual(list.tickedOnes().map(({ id }) => id), ["N1"]);
});

test("what had no id yet stays where it is under its own", () => {
  list.put(nugget("new-k", "Bridge closed", 200, { pending: true }));
  list.setNow("new-k");
  list.rename("new-k", "N9");
  list.put({ ...list.nugget("N9"), pending: false });
  assert.deepEqual(order(), ["N1", "N9", "N2", "N3"]);
  assert.equal(list.current().id, "N9");
});

test("words are chosen one by one, and counted in characters", async () => {
  makePage({ text: "div", chosen: "p" });
  const text = await fresh("matching_text.js");
  text.showText(" 🚢 sank  off Samar ");
  assert.deepEqual(text.selection(), { start: 1, end: 18 });
  assert.equal(text.hasChosen(), false);
  const chosen = () => text.quote(text.selection().start, text.selection().end);
  text.step(1, false);
  assert.equal(chosen(), "🚢");
  text.step(1, false);
  text.step(1, true);
  assert.equal(chosen(), "sank  off");
  for (let n = 0; n < 5; n += 1) text.step(1, true);
  assert.equal(chosen(), "sank  off Samar");
  text.step(-1, true);
  text.step(-1, true);
  text.step(-1, true);
  assert.equal(chosen(), "🚢 sank");
  text.choose(null);
  text.step(-1, false);
  assert.equal(chosen(), "Samar");
  assert.match(document.getElementById("chosen").textContent, /“Samar”, characters 13 to 18/);
});

test("a text is cut where what is matched in it begins and ends", async () => {
  makePage({ text: "div", chosen: "p" });
  const text = await fresh("matching_text.js");
  text.showText("<b>dam</b> burst");
  text.showSpans([{ start: 0, end: 6 }, { start: 3, end: 10 }]);
  const parts = document.getElementById("text").children.map((part) => [part.textContent, part.className]);
  assert.deepEqual(parts, [["<b>", "in"], ["dam", "in in2"], ["</b>", "in"], [" burst", ""]]);
});

test("numbers stand for nuggets of the list: likely ones, those used lately, or what a search finds", async () => {
  makePage({ nuggets: "div", search: "input", text: "p" });
  const box = document.getElementById("nuggets");
  for (const name of ["few", "every"]) box.append(Object.assign(document.createElement("div"), { className: name }));
  const nuggets = await fresh("matching_nuggets.js");
  const taken = [];
  const all = ["Café burnt", "Decafé sold", "Cafeteria open", "Ten hurt"].map((text, n) => ({ id: `N${n + 1}`, text, importance: n }));
  nuggets.begin({ nuggets: all, quote: () => "", take: (id) => taken.push(id) });
  nuggets.used("N1");
  nuggets.used("N2");
  nuggets.setLikely([{ nugget: "N4", start: 0, end: 3 }, { nugget: "gone", start: 0, end: 1 }]);
  for (const number of [1, 2, 6, 7, 8]) nuggets.digit(number);
  assert.deepEqual(taken, ["N4", "N2", "N1"]);
  const field = document.getElementById("search");
  field.value = "CAFÉ";
  field.send("input");
  const shown = box.children[0].querySelectorAll("button").map((button) => button.dataset.id);
  assert.deepEqual(shown, ["N1", "N3", "N2"], "accents and case do not count; those that begin a word come first");
  field.send("keydown", { key: "ArrowDown" });
  field.send("keydown", { key: "Enter" });
  assert.equal(taken.at(-1), "N3");
  field.selectionStart = field.value.length;
  field.send("keydown", { key: "3" });
  assert.equal(taken.at(-1), "N2");
  field.value = "zebra";
  field.send("input");
  assert.match(box.textContent, /No matching nuggets/);
});
