// The team's page: the link to copy, and guidelines that survive a reload while they are written.
import { toast } from "./acts.js";

const link = document.getElementById("link");
if (link) {
  link.focus();
  link.select();
  document.getElementById("copy").addEventListener("click", async () => {
    link.select();
    await navigator.clipboard.writeText(link.value).then(() => toast("copied"), () => toast("press Ctrl+C"));
  });
}

// Kept together with what they were written on, so that they never come back over someone else's newer ones.
const form = document.getElementById("guidelines-form");
const typed = form.elements.text;
const place = `tidings-draft:guidelines:${location.pathname.split("/")[2]}`;
if (location.hash === "#guidelines-saved") localStorage.removeItem(place);
const kept = JSON.parse(localStorage.getItem(place) ?? "null");
if (kept && kept.before === form.elements.before.value && kept.text !== typed.value) {
  typed.value = kept.text;
  toast("Your unsaved text has been restored.");
}
typed.addEventListener("input", () => {
  localStorage.setItem(place, JSON.stringify({ before: form.elements.before.value, text: typed.value }));
});
if (location.hash.startsWith("#topic-")) document.querySelector(location.hash)?.setAttribute("open", "");
