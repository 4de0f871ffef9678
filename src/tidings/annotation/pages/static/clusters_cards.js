// The clusters on the right: by number, one highlighted, members folded.
import { element } from "./elements.js";
import { longList } from "./longlist.js";
import { finder, wordsOf } from "./search.js";
import { when } from "./times.js";

export function makeCards(state, { rename, sort, merge, empty, putBack, search, back }) {
  const list = document.getElementById("clusters");
  const typedBox = document.getElementById("typed");
  const open = new Set();
  let chosen = null;
  let sortedBy = null;
  let typed = "";
  let timer = 0;

  const sizeOf = (cluster) => {
    let copies = 0;
    let first = 0;
    for (const id of cluster.members) {
      const { time, copies: own } = state.updates.get(id);
      copies += own.length;
      if (time && (!first || time < first)) first = time;
    }
    const size = cluster.members.size;
    return [`${size} update${size === 1 ? "" : "s"}${copies ? ` (+${copies} ${copies > 1 ? "copies" : "copy"})` : ""}`,
      first ? `first ${when(first)}` : "", cluster.final ? "decided" : ""].filter(Boolean).join(" · ");
  };

  const button = (name, words, label) => element("button", { type: "button", "data-do": name, "aria-label": label }, words);

  function make(id) {
    const cluster = state.clusters.get(id);
    const number = cluster.number;
    const acts = element("p", { className: "acts" });
    if (!cluster.final) acts.append(button("rename", "Rep", `Rep: rename cluster ${number}`));
    const sorts = button("sort", sortedBy === id ? "By time" : "Sort", sortedBy === id ? "Back to time order" : `Sort by similarity to cluster ${number}`);
    sorts.setAttribute("aria-pressed", String(sortedBy === id));
    acts.append(sorts);
    if (!cluster.final) acts.append(button("merge", "Merge", `Merge cluster ${number} into another`), button("empty", "Remove", `Remove cluster ${number}`));
    const members = element("details", { className: "members", open: open.has(id) }, element("summary", { textContent: "members" }), element("ol"));
    members.addEventListener("toggle", () => { if (members.open) open.add(id); else open.delete(id); fill(members, cluster); });
    if (open.has(id)) fill(members, cluster);
    return element("li", { "data-id": id, className: `card ${id === chosen ? "chosen" : ""}` },
      element("button", { type: "button", className: "pick", "data-do": "choose", "aria-pressed": String(id === chosen), draggable: !cluster.final },
        element("span", { className: "number", textContent: String(number) }), element("span", { className: "label", textContent: cluster.label })),
      element("p", { className: "meta" }, element("span", { textContent: sizeOf(cluster) })), acts, members);
  }

  function fill(details, cluster) {
    const rows = !details.open ? [] : state.byTime(cluster.members).map((id) => {
      const update = state.updates.get(id);
      const { final } = state.members.get(id) ?? {};
      const row = element("li", { "data-update": id, draggable: !final }, element("small", { textContent: when(update.time) }), ` ${update.text} `);
      if (update.copies.length) row.append(element("small", { textContent: `+${update.copies.length} ` }));
      if (!final) row.append(button("back", "Remove", `Remove this update from cluster ${cluster.number}`));
      return row;
    });
    details.querySelector("ol").replaceChildren(...rows);
  }

  const cards = longList(list, list, make);

  function wanted() {
    const fits = finder(search.value);
    const isAll = !wordsOf(search.value).length;
    const textOf = ({ number, label, members }) => `${number} ${label} ${[...members].map((id) => state.updates.get(id).text).join(" ")}`;
    const ordered = [...state.clusters.values()].sort((first, second) => first.number - second.number);
    return ordered.filter((cluster) => isAll || fits(textOf(cluster))).map((cluster) => cluster.id);
  }

  function mark(id, on) {
    const card = cards.at(id);
    card?.classList.toggle("chosen", on);
    card?.querySelector(".pick").setAttribute("aria-pressed", String(on));
  }

  function choose(id) {
    if (chosen) mark(chosen, false);
    chosen = id;
    if (!id) return;
    const card = cards.reveal(id);
    mark(id, true);
    card?.scrollIntoView({ block: "nearest" });
  }

  function step(by) {
    const ids = cards.ids();
    if (ids.length) choose(ids[Math.max(0, Math.min(ids.length - 1, ids.indexOf(chosen) + by))]);
  }

  // Digits in a row make a number: 1 highlights the first cluster, 1 2 the twelfth.
  function type(digit) {
    typed += digit;
    const find = () => [...state.clusters.values()].find((one) => one.number === Number(typed));
    if (!find() && typed.length > 1 && ![...state.clusters.values()].some((one) => String(one.number).startsWith(typed))) typed = String(digit);
    const found = find();
    typedBox.textContent = found ? `${typed} ${found.label.slice(0, 80)}` : `${typed}…`;
    typedBox.hidden = false;
    if (found) choose(found.id);
    clearTimeout(timer);
    timer = setTimeout(() => { typed = ""; typedBox.hidden = true; }, 1500);
  }

  const DO = { choose: (id) => choose(id === chosen ? null : id), rename, sort, merge, empty };
  list.addEventListener("click", (event) => {
    const wantedAct = event.target.closest("[data-do]")?.dataset.do;
    const card = event.target.closest(".card");
    if (!wantedAct || !card) return;
    if (wantedAct === "back") { putBack(event.target.closest("[data-update]").dataset.update); return; }
    DO[wantedAct](card.dataset.id);
    if (wantedAct === "choose") back();
  });

  search.addEventListener("input", () => {
    cards.show(wanted());
    const ids = cards.ids();
    if (search.value && !ids.includes(chosen)) choose(ids[0] ?? null);
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") step(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Enter" || event.key === "Escape") {
      search.value = "";
      cards.show(wanted());
      back();
      if (chosen) choose(chosen);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    choose, step, type,
    chosen: () => chosen,
    show(touched) {
      if (chosen && !state.clusters.has(chosen)) chosen = null;
      for (const id of new Set(touched)) if (state.clusters.has(id)) cards.anew(id);
      cards.show(wanted());
    },
    sorted(id) {
      const before = sortedBy;
      sortedBy = id;
      for (const one of [before, id]) if (one && state.clusters.has(one)) cards.anew(one);
    },
    fold() {
      const details = chosen && cards.reveal(chosen)?.querySelector(".members");
      if (details) details.open = !details.open;
    },
    forget: cards.forget,
  };
}
