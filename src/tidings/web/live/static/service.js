// The head of every page: how the service goes, and the clock of a replay, which runs on between two looks.
const line = document.getElementById("service");
const time = document.getElementById("service-time");
const words = document.getElementById("service-words");
const LOOK_EVERY_MS = 10_000;

let shown = Number(line.dataset.time); // seconds of the service's time ...
let at = performance.now(); // ... at this moment of the page's
let speed = 0;

function write(seconds) {
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
  const passed = (now - at) / 1000;
  if (said.time && shown && passed > 1) speed = Math.max(0, (said.time - shown) / passed);
  if (words.textContent !== said.words) words.textContent = said.words;
  line.classList.toggle("failed", said.is_failed);
  document.getElementById("service-replay").hidden = !said.is_replay;
  if (said.time) write(said.time);
  [shown, at] = [said.time, now];
  document.dispatchEvent(new CustomEvent("tidings:service", { detail: said }));
}

setInterval(look, LOOK_EVERY_MS);
setInterval(() => {
  if (shown && speed && document.visibilityState === "visible") write(shown + (speed * (performance.now() - at)) / 1000);
}, 1000);
document.addEventListener("visibilitychange", look);
setTimeout(look, 1500);
