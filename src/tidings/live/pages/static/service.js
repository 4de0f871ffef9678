// The head of every page: how the service goes, and the clock of a replay, which runs on between two looks.
const line = document.getElementById("service");
const time = document.getElementById("service-time");
const words = document.getElementById("service-words");
const LOOK_EVERY_MS = 10_000;

let base = null; // [seconds of the service's time, when that was heard]
let last = null; // the same, heard last
let speed = 0;
let written = 0; // what the clock shows: it does not go back where the next look finds a little less

function write(seconds) {
  if (seconds < written && written - seconds < 30 * speed) return;
  written = seconds;
  const moment = new Date(seconds * 1000);
  const month = moment.toLocaleString("en-US", { timeZone: "UTC", month: "short" });
  time.textContent = `${moment.getUTCDate()} ${month} ${moment.getUTCFullYear()} ${moment.toISOString().slice(11, 16)}`;
  time.dateTime = moment.toISOString();
}

async function look() {
  if (document.visibilityState !== "visible" || !line.dataset.status) return;
  let said;
  try {
    const answer = await fetch(line.dataset.status);
    if (!answer.ok) throw new Error(String(answer.status));
    said = await answer.json();
  } catch {
    words.textContent = "no connection";
    line.classList.add("failed");
    return;
  }
  const now = performance.now();
  if (said.words !== "following") {
    // Its clock stands: nothing runs on from here.
    base = last = null;
    speed = written = 0;
  } else if (said.time) {
    if (!base || said.time < base[0]) base = [said.time, now];
    const passed = (now - base[1]) / 1000;
    if (passed > 5) speed = (said.time - base[0]) / passed;
    last = [said.time, now];
  }
  if (words.textContent !== said.words) words.textContent = said.words;
  line.classList.toggle("failed", said.is_failed);
  document.getElementById("service-replay").hidden = !said.is_replay;
  if (said.time) write(said.time);
  document.dispatchEvent(new CustomEvent("tidings:service", { detail: said }));
}

setInterval(look, LOOK_EVERY_MS);
setInterval(() => {
  if (!last || !speed || document.visibilityState !== "visible") return;
  write(last[0] + (speed * (performance.now() - last[1])) / 1000);
}, 1000);
document.addEventListener("visibilitychange", look);
setTimeout(look, 1500);
