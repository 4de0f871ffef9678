// Which update is in which cluster, as the page shows it: at once what was done here, and mended by what the server has.
export function makeState(rows) {
  const updates = new Map(rows.map(([id, time, text, copies], place) => [id, { id, time: time || null, text, copies, place }]));
  const clusters = new Map(); // id → {id, label, number, version, final, members}
  const members = new Map(); // update → {cluster, version, final}; cluster null: not relevant
  const pending = new Map(); // object → key of the page's last act on it that is not answered
  let grades = null;

  function take(update) {
    const there = members.get(update);
    if (there) clusters.get(there.cluster)?.members.delete(update);
    members.delete(update);
  }

  // Into a cluster, out of consideration (null), or to be placed (undefined).
  function place(update, cluster, version = members.get(update)?.version ?? 0, final = false) {
    take(update);
    if (cluster === undefined || (cluster !== null && !clusters.has(cluster))) return;
    members.set(update, { cluster, version, final });
    if (cluster !== null) clusters.get(cluster).members.add(update);
  }

  function addCluster(id, label, number, version = 0, final = false) {
    const there = clusters.get(id);
    clusters.set(id, { id, label, number, version, final, members: there?.members ?? new Set() });
  }

  function dropCluster(id) {
    for (const update of [...(clusters.get(id)?.members ?? [])]) take(update);
    clusters.delete(id);
  }

  const nextNumber = () => Math.max(0, ...[...clusters.values()].map((one) => one.number)) + 1;

  function reset(given) {
    clusters.clear();
    members.clear();
    for (const one of given.clusters) addCluster(one.id, one.label, one.number, one.version, one.final);
    for (const [update, [cluster, version, final]] of Object.entries(given.members)) place(update, cluster, version, final);
    grades = given.grades;
  }

  // What the log has of an act; gives the updates and clusters that changed. What a later act of this page has changed
  // again is left as it is shown.
  function apply(objects, key, layer) {
    const changed = { updates: [], clusters: [] };
    const ours = objects.filter((one) => one.layer === layer
      && (pending.get(`${one.kind}|${one.id}`) ?? key) === key);
    const of = (kind, there) => ours.filter((one) => one.kind === kind && (one.value !== null) === there);
    for (const { id, value, version } of of("cluster", true)) {
      addCluster(id, value.label, value.number ?? clusters.get(id)?.number ?? nextNumber(), version);
      changed.clusters.push(id);
    }
    for (const { id, value, version } of [...of("membership", true), ...of("membership", false)]) {
      if (!updates.has(id) || members.get(id)?.final || (members.get(id)?.version ?? 0) > version) continue;
      changed.clusters.push(members.get(id)?.cluster);
      place(id, value === null ? undefined : value.cluster, version);
      changed.clusters.push(members.get(id)?.cluster);
      changed.updates.push(id);
    }
    for (const { id } of of("cluster", false)) { dropCluster(id); changed.clusters.push(id); }
    for (const [object, sent] of pending) if (sent === key) pending.delete(object);
    return changed;
  }

  // What an act says of an object that it changes: the version shown, or this page's act that is still under way.
  function expecting(kind, id, key) {
    const object = `${kind}|${id}`;
    const after = pending.get(object);
    pending.set(object, key);
    const there = kind === "membership" ? members.get(id) : clusters.get(id);
    return after ? { after } : { expected: there?.version ?? 0 };
  }

  return {
    updates, clusters, members, reset, apply, place, addCluster, dropCluster, nextNumber, expecting,
    touch: (kind, id, key) => pending.set(`${kind}|${id}`, key),
    forgetActs: () => pending.clear(),
    relevant: (id) => grades === null || (grades[id] ?? 0) > 0,
    byTime: (ids) => [...ids].sort((one, other) => updates.get(one).place - updates.get(other).place),
  };
}
