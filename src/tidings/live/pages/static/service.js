// The head of every page: how the service goes, and the clock of a replay, which runs on between two looks.
import { replayClock } from "./replay_clock.js";
import { getJson } from "./requests.js";
import { isoTime, when } from "./times.js";

const line = document.getElementById("service");
const time = document.getElementById("service-time");
const words = document.getElementById("service-words");
const LOOK_EVERY_MS = 10_000;
const clock = replayClock();

function write(seconds) {
  if (seconds === null) return;
  time.textContent = when(seconds);
  time.dateTime = isoTime(seconds);
}

async function look() {
  if (document.visibilityState !== "visible" || !line.dataset.status) return;
  const status = await getJson(line.dataset.status);
  if (!status) {
    words.textContent = "no connection";
    line.classList.add("failed");
    return;
  }
  if (status.words !== "following") clock.stop();
  else if (status.time) clock.hear(status.time, performance.now());
  if (words.textContent !== status.words) words.textContent = status.words;
  line.classList.toggle("failed", status.is_failed);
  document.getElementById("service-replay").hidden = !status.is_replay;
  if (status.time) write(clock.show(status.time));
  document.dispatchEvent(new CustomEvent("tidings:service", { detail: status }));
}

setInterval(look, LOOK_EVERY_MS);
setInterval(() => {
  if (document.visibilityState === "visible") write(clock.now(performance.now()));
}, 1000);
document.addEventListener("visibilitychange", look);
setTimeout(look, 1500);
