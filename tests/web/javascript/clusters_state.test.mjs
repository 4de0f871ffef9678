// Which update is in which cluster: at once what was done here, mended by what the server's log has.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { makeState } from "tidings/clusters_state.js";

let state;
const where = () => Object.fromEntries([...state.members].map(([id, { cluster }]) => [id, cluster]));
const object = (kind, id, value, version, more = {}) => ({ layer: "ann", kind, id, value, version, ...more });
beforeEach(() => {
  state = makeState([["u1", 100, "dam burst", []], ["u2", 0, "ten missing", ["u9"]], ["u3", 300, "dam burst again", []]]);
  state.reset({
    clusters: [{ id: "c1", label: "The dam", number: 1, version: 4, final: false }, { id: "c2", label: "Missing", number: 5, version: 2, final: true }],
    members: { u1: ["c1", 7, false], u2: [null, 3, false] },
    grades: { u1: 1, u2: 0 },
  });
});

test("what the server gave is shown", () => {
  assert.deepEqual(where(), { u1: "c1", u2: null });
  assert.deepEqual([...state.clusters.get("c1").members], ["u1"]);
  assert.equal(state.updates.get("u2").time, null, "0 stands for an unknown time");
  assert.deepEqual([state.relevant("u1"), state.relevant("u2"), state.relevant("u3")], [true, false, false]);
  assert.equal(state.nextNumber(), 6);
  assert.deepEqual(state.byTime(["u3", "u1", "u2"]), ["u1", "u2", "u3"]);
});

test("an update moves, goes out of consideration, and back among those to place", () => {
  state.place("u1", "c2");
  assert.deepEqual([...state.clusters.get("c1").members, ...state.clusters.get("c2").members], ["u1"]);
  state.place("u1", null);
  state.place("u2", undefined);
  state.place("u3", "no such cluster");
  assert.deepEqual(where(), { u1: null });
  assert.equal(state.clusters.get("c2").members.size, 0);
});

test("a cluster that goes leaves its updates to be placed", () => {
  state.dropCluster("c1");
  assert.deepEqual(where(), { u2: null });
  state.dropCluster("c1");
});

test("an act names the version that is shown, or this page's act before it", () => {
  assert.deepEqual(state.expecting("membership", "u1", "k1"), { expected: 7 });
  assert.deepEqual(state.expecting("membership", "u1", "k2"), { after: "k1" });
  assert.deepEqual(state.expecting("membership", "u3", "k3"), { expected: 0 });
  assert.deepEqual(state.expecting("cluster", "c1", "k4"), { expected: 4 });
  state.forgetActs();
  assert.deepEqual(state.expecting("membership", "u1", "k5"), { expected: 7 });
});

test("what was changed again meanwhile is left as it is shown", () => {
  state.expecting("membership", "u1", "k1");
  state.place("u1", null);
  state.expecting("membership", "u1", "k2");
  state.place("u1", "c2");
  assert.deepEqual(state.apply([object("membership", "u1", { cluster: null }, 8)], "k1", "ann").updates, []);
  assert.equal(where().u1, "c2");
  const changed = state.apply([object("membership", "u1", { cluster: "c2" }, 9)], "k2", "ann");
  assert.deepEqual(changed, { updates: ["u1"], clusters: ["c2", "c2"] });
  assert.deepEqual(state.expecting("membership", "u1", "k3"), { expected: 9 });
});

test("other layers, older versions, decided and unknown updates change nothing", () => {
  state.place("u3", "c1", 5, true);
  const there = where();
  state.apply([
    object("membership", "u1", { cluster: "c2" }, 9, { layer: "bob" }),
    object("membership", "u1", { cluster: "c2" }, 6),
    object("membership", "u3", { cluster: "c2" }, 9),
    object("membership", "nobody", { cluster: "c2" }, 9),
    object("relevance", "u1", { grade: 2 }, 9),
  ], "k", "ann");
  assert.deepEqual(where(), there);
});

test("an undo brings a cluster back with its updates, and takes one away", () => {
  const back = [object("membership", "u3", { cluster: "c3" }, 2), object("cluster", "c3", { label: "Again", number: 3 }, 2)];
  assert.deepEqual(state.apply(back, "k", "ann"), { updates: ["u3"], clusters: ["c3", undefined, "c3"] });
  assert.deepEqual([state.clusters.get("c3").label, state.clusters.get("c3").number, where().u3], ["Again", 3, "c3"]);
  state.apply([object("cluster", "c3", null, 3), object("membership", "u3", null, 3)], "k", "ann");
  assert.ok(!state.clusters.has("c3") && !state.members.has("u3"));
});
