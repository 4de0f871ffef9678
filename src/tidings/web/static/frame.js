// On every page: light or dark, and the list of keys.
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
