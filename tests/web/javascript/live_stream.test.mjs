// The stream of a live page: each output once, in order, without a gap, whatever the connection does.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { makePage } from "./page.mjs";
import { followStream, stateWriter } from "tidings/live_stream.js";

let sources, taken, states, forgotten, stream;

class Source extends EventTarget {
  static CLOSED = 2;
  constructor(address) {
    super();
    Object.assign(this, { address, readyState: 1 });
    sources.push(this);
  }
  close() { this.readyState = Source.CLOSED; }
  say(type, data = {}, seq = "") {
    this.dispatchEvent(Object.assign(new Event(type), { data: JSON.stringify(data), lastEventId: String(seq) }));
  }
}
const now = () => sources.at(-1);
// In small steps: a clock that jumps is a machine that slept.
const pass = (ms) => { for (let left = ms; left > 0; left -= 1000) mock.timers.tick(Math.min(left, 1000)); };

function follow(address = "/events/storm/stream", after = 4, more = {}) {
  stream = followStream(address, after, {
    take: (kind, seq, output) => taken.push([kind, seq, output]),
    onState: (state) => states.push(state),
    forget: () => { forgotten += 1; },
    ...more,
  });
}

beforeEach(() => {
  makePage();
  globalThis.EventSource = Source;
  [sources, taken, states, forgotten] = [[], [], [], 0];
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_000_000 });
  mock.method(Math, "random", () => 0.5);
});
afterEach(() => {
  stream.close();
  mock.timers.reset();
  mock.restoreAll();
});

test("it begins after the cursor", () => {
  follow();
  assert.equal(now().address, "/events/storm/stream?after=4");
  follow("/stream?kind=update");
  assert.equal(now().address, "/stream?kind=update&after=4");
});

test("each output is given once, and none that came before", () => {
  follow();
  now().say("open");
  for (const seq of [3, 4, 5, 5, 7, 6]) now().say("update", { text: `no. ${seq}` }, seq);
  now().say("support", {}, 9);
  now().say("something", {}, 10);
  assert.deepEqual(taken, [["update", 5, { text: "no. 5" }], ["update", 7, { text: "no. 7" }], ["support", 9, {}]]);
  assert.equal(stream.cursor(), 9);
  assert.deepEqual(states, ["live"]);
});

test("a refused stream is opened again at growing distances, up to half a minute, after what came last", () => {
  follow();
  now().say("update", {}, 5);
  for (const wait of [1, 2, 4, 8, 16, 30, 30]) {
    const before = sources.length;
    now().readyState = Source.CLOSED;
    now().say("error");
    pass(wait * 1000 - 1);
    assert.equal(sources.length, before, `waited less than ${wait} s`);
    mock.timers.tick(1);
    assert.equal(sources.length, before + 1, `waited more than ${wait} s`);
    assert.ok(now().address.endsWith("after=5"));
  }
  assert.deepEqual(states, ["waiting"]);
  now().say("open");
  now().readyState = Source.CLOSED;
  now().say("error");
  mock.timers.tick(1000);
  assert.deepEqual(states, ["waiting", "live", "waiting"]);
  assert.equal(sources.length, 9);
});

test("a lost connection is left to the browser, which comes again by itself", () => {
  follow();
  now().say("open");
  now().readyState = 0;
  now().say("error");
  pass(20_000);
  assert.equal(sources.length, 1);
  now().say("open");
  assert.deepEqual(states, ["live", "waiting", "live"]);
});

test("a stream that fell silent is opened anew; one that pings is not", () => {
  follow();
  now().say("open");
  for (let second = 0; second < 60; second += 15) {
    pass(15_000);
    now().say("ping");
  }
  assert.equal(sources.length, 1);
  pass(50_000);
  assert.equal(sources.length, 2);
  assert.equal(sources[0].readyState, Source.CLOSED);
  sources[0].say("update", {}, 8); // of the one that was left
  assert.deepEqual(taken, []);
});

test("a machine that slept opens the stream at once", () => {
  follow();
  now().say("open");
  mock.timers.setTime(1_000_000 + 30_000); // less than a stream may be silent
  mock.timers.tick(5_000);
  assert.equal(sources.length, 2);
});

test("a run that was begun anew counts anew", () => {
  follow("/stream", 4, { begun: 77 });
  now().say("run", { begun: 77, cursor: 4 });
  assert.equal(forgotten, 0);
  now().say("run", { begun: 78, cursor: 9 });
  assert.equal(forgotten, 1);
  assert.equal(now().readyState, Source.CLOSED);
  follow("/stream", 4, { begun: 77 });
  now().say("run", { begun: 77, cursor: 3 });
  assert.equal(forgotten, 2);
});

test("it comes back with the network and from the browser's memory, and is closed with its page", () => {
  follow();
  window.dispatchEvent(new Event("online"));
  assert.equal(sources.length, 2);
  window.dispatchEvent(new Event("pagehide"));
  assert.equal(now().readyState, Source.CLOSED);
  window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false }));
  assert.equal(sources.length, 2);
  window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  assert.equal(sources.length, 3);
  stream.close();
  window.dispatchEvent(new Event("online"));
  pass(120_000);
  assert.equal(sources.length, 3);
});

test("a page that is looked at again after a while asks at once", () => {
  follow();
  pass(19_000);
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(sources.length, 1);
  pass(2_000);
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(sources.length, 2);
});

test("the reader is told of a lost connection", () => {
  follow();
  const line = document.createElement("p");
  const write = stateWriter(line);
  write("waiting");
  assert.deepEqual([line.textContent, line.classList.contains("failed")], ["connection lost, reconnecting", true]);
  write("live");
  assert.deepEqual([line.textContent, line.classList.contains("failed")], ["live", false]);
});
