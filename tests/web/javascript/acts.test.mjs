// Judgments on their way: kept until the server has them, in their order, each counted once.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { fresh, makePage, serve, settle } from "./page.mjs";

let at;
const box = () => JSON.parse(localStorage.getItem("tidings-outbox") ?? "[]");
beforeEach(() => {
  at = makePage({ saving: "p" });
  mock.timers.enable({ apis: ["setTimeout"] });
});
afterEach(() => mock.timers.reset());

test("an act is sent with a key, and answered", async () => {
  const asked = serve([[200, { objects: [1] }]]);
  const acts = await fresh("acts.js");
  const heard = [];
  acts.onAnswer((answer) => heard.push(answer.data));
  const answer = await acts.act("/api/grade", { grade: 2 });
  assert.deepEqual([answer.ok, answer.status, answer.data], [true, 200, { objects: [1] }]);
  assert.deepEqual(heard, [{ objects: [1] }]);
  assert.equal(asked[0].method, "POST");
  assert.match(asked[0].body.key, /^[0-9a-f]{32}$/);
  assert.equal(asked[0].body.grade, 2);
  await settle();
  assert.deepEqual([box(), acts.waiting(), at("saving").textContent], [[], 0, "all saved"]);
});

test("keys that pages make are kept, others differ from each other", async () => {
  const asked = serve([[200, {}], [200, {}], [200, {}]]);
  const acts = await fresh("acts.js");
  await acts.act("/a", { key: "mine" });
  await acts.act("/a");
  await acts.act("/a");
  assert.equal(asked[0].body.key, "mine");
  assert.notEqual(asked[1].body.key, asked[2].body.key);
});

test("without a connection acts are kept and sent again, the first one first, at growing distances", async () => {
  const asked = serve([null, [503, {}], [429, {}], [200, {}], [200, {}]]);
  const acts = await fresh("acts.js");
  const answers = [acts.act("/first"), acts.act("/second")];
  await settle();
  assert.equal(asked.length, 1);
  assert.equal(at("saving").textContent, "no connection: 2 not saved, kept in this browser");
  assert.ok(at("saving").classList.contains("failed"));
  for (const [pause, tries] of [[500, 2], [1000, 3], [2000, 5]]) {
    mock.timers.tick(pause - 1);
    await settle();
    assert.equal(asked.length, Math.min(tries - 1, 3));
    mock.timers.tick(1);
    for (let turn = 0; turn < 5; turn += 1) await settle();
    assert.equal(asked.length, tries);
  }
  await Promise.all(answers);
  assert.deepEqual(asked.map(({ path }) => path), ["/first", "/first", "/first", "/first", "/second"]);
  assert.equal(new Set(asked.slice(0, 4).map(({ body }) => body.key)).size, 1);
});

test("what an earlier page left is sent when the next one is loaded", async () => {
  localStorage.setItem("tidings-outbox", JSON.stringify([{ path: "/left", body: { key: "k" } }]));
  const asked = serve([[200, {}]]);
  await fresh("acts.js");
  await settle();
  assert.deepEqual(asked, [{ path: "/left", method: "POST", body: { key: "k" } }]);
  assert.deepEqual(box(), []);
});

test("what is refused is not sent again, and says why", async () => {
  const asked = serve([[409, { message: "somebody was first" }], [200, {}]]);
  const acts = await fresh("acts.js");
  assert.equal((await acts.act("/one")).ok, false);
  assert.equal(document.querySelector(".toast").textContent, "somebody was first");
  assert.equal((await acts.act("/two")).ok, true);
  assert.equal(asked.length, 2);
});

test("who is signed out keeps what was not saved, and is led to sign in and back", async () => {
  serve([[401, {}]]);
  Object.assign(location, { pathname: "/projects/1/topics/2", search: "?a=1&b=2" });
  const acts = await fresh("acts.js");
  acts.act("/one");
  await settle();
  assert.equal(acts.waiting(), 1);
  assert.equal(at("saving").querySelector("a").href, "/sign-in?next=%2Fprojects%2F1%2Ftopics%2F2%3Fa%3D1%26b%3D2");
});

test("typed text comes back after a reload, and not over what stands there", async () => {
  serve([]);
  const { draft } = await fresh("acts.js");
  const field = () => document.createElement("textarea");
  const typed = field();
  const kept = draft(typed, "note");
  typed.value = "half a sen";
  typed.send("input");
  const again = field();
  draft(again, "note");
  assert.equal(again.value, "half a sen");
  const full = Object.assign(field(), { value: "of the server" });
  draft(full, "note");
  assert.equal(full.value, "of the server");
  kept.forget();
  const empty = field();
  draft(empty, "note");
  assert.equal(empty.value, "");
});

test("the address says where to begin", async () => {
  serve([]);
  const { askedItem } = await fresh("acts.js");
  const asked = (search, hash) => { Object.assign(location, { search, hash }); return askedItem(); };
  assert.equal(asked("?at=u-1", ""), "u-1");
  assert.equal(asked("?at=u-1", "#item=a%7Cb"), "a|b");
  assert.equal(asked("", "#item=50%"), "50%"); // not encoded by us
  assert.equal(asked("", "#other"), "");
});

test("what a page was given is read from its data block", async () => {
  serve([]);
  const { pageData } = await fresh("acts.js");
  document.body.append(Object.assign(document.createElement("script"), { id: "page-data", textContent: '{"api":"/x"}' }));
  assert.deepEqual(pageData(), { api: "/x" });
  assert.deepEqual(pageData("nothing"), {});
});
