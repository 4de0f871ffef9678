// Before the judges' lists are merged: the own one is finished, then the others' are shown.
import { act, onAnswer, pageData } from "./acts.js";
import { key } from "./keys.js";

const { api } = pageData();
const button = document.getElementById("finish");

function finish() {
  if (button.disabled) return;
  button.disabled = true;
  act(`${api}/merging/open`);
}

// Also where the answer is to what was sent before a reload.
onAnswer(({ ok, path }) => {
  if (path !== `${api}/merging/open`) return;
  if (ok) location.reload();
  else button.disabled = false;
});
button.addEventListener("click", finish);
key("f", "close your list and show the others'", finish);
