// Buttons that open what was decided again: a reason is asked for, and its judges have the item back.
import { act, toast } from "./acts.js";
import { ask } from "./notes.js";

for (const button of document.querySelectorAll("button[data-reopen]")) {
  button.addEventListener("click", async () => {
    const { project, topic, kind, id } = button.dataset;
    const reason = await ask("Why should the judges judge this again?", `${kind} ${id}`, `reopen:${project}:${topic}:${kind}:${id}`, "Reopen");
    if (!reason) return;
    const answer = await act(`/api/projects/${project}/topics/${topic}/reopen`, { kind, id, reason });
    if (!answer.ok) return;
    button.replaceWith("reopened");
    toast("Reopened for its judges.");
  });
}
