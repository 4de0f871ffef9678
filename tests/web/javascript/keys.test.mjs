// Keys: what is bound is heard once, and never while somebody types or a dialog is open.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { fresh, makePage } from "./page.mjs";

let at, keys;
beforeEach(async () => {
  at = makePage({ keys: "dialog", "show-keys": "button", field: "input", box: "input", link: "a", words: "p" });
  at("keys").append(document.createElement("dl"));
  at("box").type = "checkbox";
  at("link").setAttribute("href", "/");
  at("box").matches = () => false; // of what the page's selectors say, nothing: a box holds no words
  at("field").matches = (selector) => selector.startsWith("input:not");
  keys = await fresh("keys.js");
});
const press = (name, more = {}, target = at("words")) => target.send("keydown", { key: name, ...more });

test("an action is called, and the browser does nothing of its own", () => {
  let called = 0;
  keys.key("j", "next", () => { called += 1; });
  assert.ok(press("j").defaultPrevented);
  assert.equal(called, 1);
  assert.ok(!press("J").defaultPrevented);
  assert.equal(called, 1);
});

test("an action that says false leaves the key to the browser", () => {
  keys.key("n", "show", () => false);
  assert.ok(!press("n").defaultPrevented);
});

test("Ctrl and Shift are part of a name where they change what a key is", () => {
  const heard = [];
  for (const name of ["Ctrl+s", "Shift+ArrowUp", "ArrowUp", "?x", "D"]) keys.key(name, "", () => { heard.push(name); });
  press("s", { ctrlKey: true });
  press("s");
  press("ArrowUp", { shiftKey: true });
  press("ArrowUp");
  press("D", { shiftKey: true }); // a letter says it by itself
  assert.deepEqual(heard, ["Ctrl+s", "Shift+ArrowUp", "ArrowUp", "D"]);
});

test("nothing is heard while somebody types, composes, holds Alt, or is asked something", () => {
  let called = 0;
  keys.key("j", "next", () => { called += 1; });
  keys.key("Escape", "leave", () => { called += 10; }, { typing: true });
  press("j", {}, at("field"));
  for (const more of [{ isComposing: true }, { altKey: true }, { metaKey: true }]) press("j", more);
  assert.equal(called, 0);
  press("Escape", {}, at("field"));
  press("j", {}, at("box"));
  assert.equal(called, 11);
  at("keys").showModal();
  press("j");
  assert.equal(called, 11);
});

test("Enter on a link or button is its own", () => {
  let called = 0;
  keys.key("Enter", "go on", () => { called += 1; });
  assert.ok(!press("Enter", {}, at("link")).defaultPrevented);
  press("Enter");
  assert.equal(called, 1);
});

test("a key has one meaning", () => {
  keys.key("j", "next", () => {});
  assert.throws(() => keys.key("j", "other", () => {}), /two meanings of the key j/);
});

test("two pairs of keys go through a list", () => {
  const steps = [];
  keys.stepKeys("next", "before", (by) => { steps.push(by); return false; });
  for (const name of ["j", "ArrowDown", "k", "ArrowUp"]) assert.ok(press(name).defaultPrevented);
  assert.deepEqual(steps, [1, 1, -1, -1]);
});

test("the dialog lists what has a meaning, with signs for keys that have no letter", () => {
  keys.key("Shift+ArrowRight", "one word more", () => {});
  keys.key(" ", "stay", () => {});
  keys.key("+", "more", () => {});
  keys.key("a", "", () => {});
  press("?");
  assert.ok(at("keys").open);
  const lines = at("keys").querySelectorAll("dt").map((term) => term.querySelectorAll("kbd").map((cap) => cap.textContent));
  assert.deepEqual(lines, [["?"], ["Shift", "→"], ["Space"], ["+"]]);
  assert.equal(at("keys").querySelectorAll("dd").at(-1).textContent, "more");
  assert.equal(at("show-keys").hidden, false);
});
