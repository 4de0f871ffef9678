// Questions on the Clusters page, each in a dialog: another name for a cluster, and the one to merge it into.
import { draft } from "./acts.js";
import { element } from "./elements.js";

function asked(dialog, form) {
  return new Promise((resolve) => {
    dialog.append(form);
    dialog.addEventListener("close", () => { dialog.remove(); resolve(dialog.returnValue === "do"); });
    document.body.append(dialog);
    dialog.showModal();
  });
}

const buttons = (words) => element("p", {}, element("button", { className: "main", value: "do" }, `${words} `, element("kbd", { textContent: "Enter" })), " ",
  element("button", { value: "no", formnovalidate: true }, "Close ", element("kbd", { textContent: "Esc" })));

// Resolves to the new description; null where the dialog was closed. What was typed survives a reload.
export async function askName(cluster, name) {
  const words = element("textarea", { rows: 4, cols: 50, maxlength: 2000, required: true });
  const kept = draft(words, `cluster:${name}`);
  if (!words.value) words.value = cluster.label;
  const form = element("form", { method: "dialog", className: "stack" }, element("label", {}, `Description of cluster ${cluster.number}`, words), buttons("Rename"));
  words.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); form.requestSubmit(form.querySelector(".main")); }
  });
  const answer = asked(element("dialog", { "aria-label": "Rename a cluster" }), form);
  words.focus();
  words.select();
  const done = await answer;
  if (done) kept.forget();
  return done ? words.value.split(/\s+/).filter(Boolean).join(" ") : null;
}

// Resolves to the id of the cluster to merge into; null where the dialog was closed.
export async function askMerge(cluster, clusters) {
  const others = clusters.filter((one) => one.id !== cluster.id).sort((one, other) => one.number - other.number);
  const select = element("select", { required: true }, ...others.map((one) => element("option", { value: one.id, textContent: `${one.number} ${one.label.slice(0, 90)}` })));
  const form = element("form", { method: "dialog", className: "stack" }, element("p", { className: "hint", textContent: `${cluster.number} ${cluster.label}` }),
    element("label", {}, "Merge into (type its number)", select), buttons("Merge"));
  select.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); form.requestSubmit(form.querySelector(".main")); }
  });
  const answer = asked(element("dialog", { "aria-label": "Merge clusters" }), form);
  select.focus();
  return (await answer) ? select.value : null;
}
