// Parts of live pages: the clock of a replay, what was seen, and what is drawn again.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { makePage, serve, settle } from "./page.mjs";
import { refresher } from "tidings/refresh.js";
import { replayClock } from "tidings/replay_clock.js";
import { getJson } from "tidings/requests.js";
import { joinRanges } from "tidings/seen_ranges.js";

test("the clock stands until it knows how fast time goes", () => {
  const clock = replayClock();
  assert.equal(clock.now(0), null);
  clock.hear(1000, 0);
  assert.equal(clock.now(3000), null);
  clock.hear(1240, 4000); // too soon to say
  assert.equal(clock.now(4500), null);
});

test("between two looks the clock runs on at the speed of the replay", () => {
  const clock = replayClock();
  clock.hear(1000, 0);
  clock.hear(1600, 10_000); // a minute each second
  assert.equal(clock.now(10_000), 1600);
  assert.equal(clock.now(12_500), 1750);
});

test("the clock does not go back where the next look finds a little less, but does for another beginning", () => {
  const clock = replayClock();
  clock.hear(1000, 0);
  clock.hear(1600, 10_000);
  assert.equal(clock.show(1660), 1660);
  assert.equal(clock.show(1650), null);
  assert.equal(clock.show(1661), 1661);
  clock.hear(100, 20_000);
  assert.equal(clock.now(21_000), null, "60 times 30 seconds are not much at this speed");
  clock.stop();
  assert.equal(clock.now(22_000), null);
  assert.equal(clock.show(160), 160);
});

test("ranges that touch or overlap are joined, event by event", () => {
  const ranges = [["b", 1, 1], ["a", 5, 6], ["a", 1, 2], ["a", 3, 3], ["a", 8, 9], ["a", 2, 3], ["b", 2, 4]];
  const before = structuredClone(ranges);
  assert.deepEqual(joinRanges(ranges), [["a", 1, 3], ["a", 5, 6], ["a", 8, 9], ["b", 1, 4]]);
  assert.deepEqual(ranges, before);
  assert.deepEqual(joinRanges([["a", 1, 9], ["a", 2, 3]]), [["a", 1, 9]]);
  assert.deepEqual(joinRanges([]), []);
});

test("what cannot be had is null", async () => {
  serve([[200, { a: 1 }], [404, { a: 2 }], null]);
  assert.deepEqual([await getJson("/x"), await getJson("/x"), await getJson("/x")], [{ a: 1 }, null, null]);
  globalThis.fetch = async () => new Response("<html>", { status: 200 });
  assert.equal(await getJson("/x"), null);
});

let at, time;
beforeEach(() => {
  at = makePage({ counts: "p", outlets: "ol" });
  for (const id of ["counts", "outlets"]) {
    at(id).setAttribute("data-fresh", "");
    at(id).innerHTML = "old";
  }
  document.adoptNode = (node) => node;
  globalThis.DOMParser = class {
    parseFromString(words) {
      return { getElementById: (id) => Object.assign(document.createElement("p"), { id, innerHTML: words, textContent: words }) };
    }
  };
  time = 50_000;
  mock.method(performance, "now", () => time);
  mock.method(Math, "random", () => 0);
  mock.timers.enable({ apis: ["setTimeout"] });
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});
async function pass(ms) {
  time += ms;
  mock.timers.tick(ms);
  await settle();
}

test("parts are drawn again soon after they are asked for, at most every three seconds", async () => {
  const asked = serve([[200, "one"], [200, "two"]]);
  const ask = refresher();
  for (let n = 0; n < 5; n += 1) ask();
  assert.equal(document.documentElement.dataset.behind, "");
  await pass(700);
  assert.equal(asked.length, 1);
  assert.equal(document.documentElement.dataset.behind, undefined);
  assert.deepEqual([at("counts").textContent, at("outlets").textContent], ["one", "one"]);
  ask();
  await pass(2999);
  assert.equal(asked.length, 1);
  await pass(1);
  assert.equal(asked.length, 2);
});

test("nothing changes under who reads, types, has unfolded something, or does not look", async () => {
  let mayChange = false;
  const asked = serve([[200, "new"]]);
  const ask = refresher(() => mayChange);
  ask();
  await pass(700);
  mayChange = true;
  document.visibilityState = "hidden";
  await pass(700);
  assert.equal(asked.length, 0);
  document.visibilityState = "visible";
  const button = document.createElement("button");
  at("counts").append(button);
  button.focus();
  const details = Object.assign(document.createElement("details"), { open: true });
  at("outlets").append(details);
  await pass(700);
  assert.equal(asked.length, 1);
  assert.deepEqual([button.parentElement, details.parentElement], [at("counts"), at("outlets")]);
});

test("a server that does not answer is asked again", async () => {
  const asked = serve([null, [500, ""], [200, "there"]]);
  refresher()();
  for (const wait of [700, 10_000, 10_000]) await pass(wait);
  assert.equal(asked.length, 3);
  assert.equal(at("counts").textContent, "there");
});
