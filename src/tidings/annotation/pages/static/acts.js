// Judgments on their way to the server. An act is kept in the browser's storage until the server has it on disk, and is
// sent again (with the same key, so that it counts once) when a connection is lost, the server starts anew or the page
// is loaded again. They are sent one after the other, in their order.
const BOX = "tidings-outbox";
const saving = document.getElementById("saving");
const waiters = new Map();
let sending = false;
let pause = 0;

const read = () => JSON.parse(localStorage.getItem(BOX) ?? "[]");
const write = (acts) => localStorage.setItem(BOX, JSON.stringify(acts));

export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Send an act; resolves to what the server answered, {ok, status, data}, once it has it or has refused it.
export function act(path, body = {}) {
  const entry = { path, body: { key: newKey(), made_ms: Date.now(), ...body } };
  write([...read(), entry]);
  const answered = new Promise((resolve) => waiters.set(entry.body.key, resolve));
  flush();
  return answered;
}

export function waiting() {
  return read().length;
}

export function show(words, kind = "") {
  if (!saving) return;
  saving.textContent = words;
  saving.className = `saving ${kind}`;
}

export function toast(words) {
  document.querySelector(".toast")?.remove();
  const box = document.createElement("div");
  box.className = "toast";
  box.setAttribute("role", "status");
  box.textContent = words;
  document.body.append(box);
  setTimeout(() => box.remove(), 6000);
}

// Who wants to know of answers to acts that were sent before this page was loaded, or of all of them.
const listeners = [];
export const onAnswer = (listener) => listeners.push(listener);

export async function flush() {
  if (sending) return;
  sending = true;
  try {
    for (let acts = read(); acts.length; acts = read()) {
      const [first] = acts;
      show(acts.length > 1 ? `saving ${acts.length}…` : "saving…", "waiting");
      let answer;
      try {
        answer = await fetch(first.path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(first.body),
        });
      } catch {
        answer = null;
      }
      if (!answer || answer.status >= 500 || answer.status === 429) {
        pause = Math.min((pause || 250) * 2, 8000);
        show(`no connection: ${waiting()} not saved, kept in this browser`, "failed");
        setTimeout(flush, pause);
        return;
      }
      pause = 0;
      if (answer.status === 401) {
        show(`signed out: ${waiting()} not saved, kept in this browser`, "failed");
        const link = document.createElement("a");
        link.href = `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;
        link.textContent = " sign in";
        saving?.append(link);
        return;
      }
      const data = await answer.json().catch(() => ({}));
      write(read().filter((entry) => entry.body.key !== first.body.key));
      if (!answer.ok) toast(data.message ?? "Not saved.");
      const result = { ok: answer.ok, status: answer.status, data, body: first.body, path: first.path };
      for (const listener of listeners) listener(result);
      waiters.get(first.body.key)?.(result);
      waiters.delete(first.body.key);
    }
    show("all saved");
  } finally {
    sending = false;
  }
}

// Typed text that was not sent survives a reload: kept under a name until `forget` is called.
export function draft(field, name) {
  const place = `tidings-draft:${name}`;
  const kept = localStorage.getItem(place);
  if (kept !== null && !field.value) field.value = kept;
  const keep = () => (field.value ? localStorage.setItem(place, field.value) : localStorage.removeItem(place));
  field.addEventListener("input", keep);
  return { forget: () => localStorage.removeItem(place) };
}

// What the page was given: the JSON of its data block.
export function pageData(id = "page-data") {
  return JSON.parse(document.getElementById(id)?.textContent ?? "{}");
}

// The item at which the address says to begin, as ?at=… or #item=…; empty where it says none.
export function askedItem() {
  const written = location.hash.match(/^#item=(.+)/)?.[1];
  if (written === undefined) return new URLSearchParams(location.search).get("at") ?? "";
  try { return decodeURIComponent(written); } catch { return written; }
}

addEventListener("online", flush);
addEventListener("beforeunload", (event) => {
  if (read().length && saving?.classList.contains("failed")) event.preventDefault();
});
flush();
