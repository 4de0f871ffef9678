// "Should be an update": a sentence that was left out becomes one with the next article.
import { base, postJson } from "./requests.js";

document.addEventListener("click", async (click) => {
  const button = click.target.closest?.("button[data-wanted]");
  if (!button) return;
  const words = button.parentElement.querySelector("[role=status]");
  const withdrawn = button.getAttribute("aria-pressed") === "true";
  const event = decodeURIComponent(location.pathname.slice(base.length).split("/")[2]);
  button.disabled = true;
  try {
    const answer = await postJson(`${base}/api/events/${encodeURIComponent(event)}/left-out`, {
      sentence: button.closest("[data-sentence]").dataset.sentence,
      withdrawn,
    });
    const { message } = await answer.json();
    if (!answer.ok) throw new Error(message);
    button.setAttribute("aria-pressed", String(!withdrawn));
    words.textContent = withdrawn ? "Undone" : "Noted. It becomes an update with the next article.";
  } catch (error) {
    words.textContent = error.message || "Not saved: no connection.";
  } finally {
    button.disabled = false;
    button.focus();
  }
});
