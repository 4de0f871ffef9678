// The list of notes: leads answer in place.
import { act, draft, pageData, toast } from "./acts.js";

const { project } = pageData();

for (const form of document.querySelectorAll("form.answer")) {
  const note = form.closest("[data-note]");
  const words = form.querySelector("textarea");
  const kept = draft(words, `answer:${note.dataset.note}`);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = words.value.trim();
    if (!text) return;
    const path = `/api/projects/${project}/topics/${note.dataset.topic}/reply`;
    const answer = await act(path, { writer: Number(note.dataset.writer), note: note.dataset.note, text });
    if (!answer.ok) return;
    kept.forget();
    words.value = "";
    note.querySelector(".reply span").textContent = text;
    note.querySelector(".reply").hidden = false;
    note.classList.remove("waiting");
    toast("answered");
  });
}
