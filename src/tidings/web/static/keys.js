// Keys of a page: each is listed in the dialog that `?` opens, and none is heard while someone types.
const bound = new Map();
const dialog = document.getElementById("keys");

// `key` as KeyboardEvent.key has it, with "Ctrl+" and "Shift+" in front where they are meant.
export function key(name, words, action, { typing = false } = {}) {
  if (bound.has(name)) throw new Error(`two meanings of the key ${name}`);
  bound.set(name, { words, action, typing });
  document.getElementById("show-keys").hidden = false;
}

// The keys by which one goes through a list.
export function stepKeys(next, previous, step) {
  for (const name of ["j", "ArrowDown"]) key(name, next, () => { step(1); });
  for (const name of ["k", "ArrowUp"]) key(name, previous, () => { step(-1); });
}

export function showKeys() {
  const list = dialog.querySelector("dl");
  list.replaceChildren();
  for (const [name, { words }] of bound) {
    if (!words) continue; // one of several that do the same
    const term = document.createElement("dt");
    for (const part of name === "+" ? [name] : name.split("+")) {
      const cap = document.createElement("kbd");
      cap.textContent = { ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", " ": "Space" }[part] ?? part;
      term.append(cap, " ");
    }
    const meaning = document.createElement("dd");
    meaning.textContent = words;
    list.append(term, meaning);
  }
  dialog.showModal();
}

export function isTyping(element) {
  return element?.matches?.("input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable]") ?? false;
}

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  const name = (event.ctrlKey ? "Ctrl+" : "") + (event.shiftKey && event.key.length > 1 ? "Shift+" : "") + event.key;
  const found = bound.get(name);
  if (!found || (isTyping(event.target) && !found.typing)) return;
  if ((event.key === "Enter" || event.key === " ") && event.target.matches?.("a[href], button, summary")) return;
  if (found.action(event) !== false) event.preventDefault();
});

if (dialog) key("?", "show these keys", showKeys);
