// "Off topic" and "Already known": what a reader says of an update takes effect on what comes after it.
import { base, postJson } from "./requests.js";

function write(tools, mark) {
  for (const button of tools.querySelectorAll("button[data-mark]")) {
    button.setAttribute("aria-pressed", String(button.dataset.mark === mark));
  }
}

document.addEventListener("click", async (click) => {
  const button = click.target.closest?.(".marks button[data-mark]");
  if (!button) return;
  const tools = button.closest(".marks");
  const words = tools.querySelector("[role=status]");
  const withdrawn = button.getAttribute("aria-pressed") === "true";
  const seq = Number(tools.closest("[data-seq]").dataset.seq);
  button.disabled = true;
  try {
    const answer = await postJson(`${base}/api/events/${encodeURIComponent(tools.dataset.event)}/marks`, {
      update: seq,
      mark: button.dataset.mark,
      withdrawn,
    });
    const { message } = await answer.json();
    if (!answer.ok) throw new Error(message);
    write(tools, withdrawn ? "" : button.dataset.mark);
    words.textContent = withdrawn ? "Undone" : "Noted. You will see fewer updates like this.";
  } catch (error) {
    words.textContent = error.message || "Not saved: no connection.";
  } finally {
    button.disabled = false;
    button.focus();
  }
});
