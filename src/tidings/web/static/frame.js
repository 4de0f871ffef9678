// On every page: light or dark, the list of keys, and a mark for whoever waits until it can be used.
import { showKeys } from "./keys.js";

const root = document.documentElement;
const chosen = localStorage.getItem("tidings-theme");
if (chosen) root.dataset.theme = chosen;

document.getElementById("theme").addEventListener("click", () => {
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("tidings-theme", root.dataset.theme);
});
document.getElementById("show-keys").addEventListener("click", showKeys);

// <html data-ready> says that every script of the page has run to its end, also one that first fetched something.
addEventListener("DOMContentLoaded", async () => {
  await Promise.all(Array.from(document.querySelectorAll("script[type=module]"), (script) => import(script.src)));
  root.dataset.ready = "";
});
