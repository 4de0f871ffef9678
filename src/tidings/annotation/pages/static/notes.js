// Notes to who leads the project. A page of a topic says what its current item is, and the key n is bound:
//   import { noteKey } from "./notes.js";
//   noteKey(() => ({ kind: "update", id: current.id, text: current.text }));
// `text` (what the note is about, in words) may be left out; null for no item makes the note one about the topic.
import { act, draft, toast } from "./acts.js";
import { element } from "./elements.js";
import { key } from "./keys.js";

const place = location.pathname.match(/^\/projects\/\d+\/topics\/\d+/)?.[0];

// Ask for some words in a dialog; resolves to them, or to null where it was closed. What was typed survives a reload.
export function ask(title, about, name, send = "Send") {
  return new Promise((resolve) => {
    const words = element("textarea", { rows: 4, cols: 60, maxLength: 4000, required: true });
    const kept = draft(words, name);
    const form = element("form", { method: "dialog", className: "stack" },
      element("p", { className: "hint", textContent: about }),
      element("label", {}, title, words),
      element("p", {}, element("button", { className: "main", value: "send", textContent: `${send} (Ctrl+Enter)` }), " ",
        element("button", { value: "no", formNoValidate: true, textContent: "Close (Esc)" })));
    const dialog = element("dialog", { className: "ask" }, form);
    dialog.setAttribute("aria-label", title);
    words.addEventListener("keydown", (event) => {
      if (event.ctrlKey && event.key === "Enter") form.requestSubmit(form.querySelector(".main"));
    });
    dialog.addEventListener("close", () => {
      const said = dialog.returnValue === "send" ? words.value.trim() : "";
      if (said) kept.forget();
      dialog.remove();
      resolve(said || null);
    });
    document.body.append(dialog);
    dialog.showModal();
    words.focus();
  });
}

export async function writeNote(item) {
  const about = item ? { kind: item.kind, id: item.id } : { kind: "topic", id: "topic" };
  const words = await ask("Note to the project lead", item?.text ?? item?.id ?? "the topic", `note:${place}:${about.kind}:${about.id}`);
  if (!words) return;
  const answer = await act(`/api${place}/note`, { about, page: location.pathname.split("/").at(-1), text: words });
  if (answer.ok) toast("Note sent. The answer will appear under Notes.");
}

export function noteKey(current) {
  key("n", "write a note to the project lead", () => { writeNote(current()); });
}
