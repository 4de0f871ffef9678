// All events: the latest of each as it is told; the order of the page stays while one looks at it.
import { key } from "./keys.js";
import { followStream } from "./live_stream.js";
import { refresher } from "./refresh.js";
import { clean, outletOf } from "./update_items.js";

const list = document.getElementById("events");
const state = document.getElementById("live-state");
const refresh = refresher();

function show(seq, update) {
  const card = [...list.querySelectorAll("[data-event]")].find((one) => one.dataset.event === update.event);
  if (!card) return;
  const latest = card.querySelector(".latest");
  if (!latest) return;
  latest.querySelector(".said").textContent = clean(update.text ?? "");
  latest.querySelector(".said").dir = "auto";
  latest.querySelector("time").textContent = moment(update.time);
  latest.querySelector("time").dateTime = new Date(update.time * 1000).toISOString();
  latest.querySelector(".outlet").textContent = outletOf(update);
  latest.querySelector("a").href = `${card.dataset.links}${seq}`;
  latest.hidden = false;
  card.classList.remove("arrived");
  void card.offsetWidth; // so that it is shown again
  card.classList.add("arrived");
}

function moment(seconds) {
  const when = new Date(seconds * 1000);
  const month = when.toLocaleString("en-US", { timeZone: "UTC", month: "short" });
  return `${when.getUTCDate()} ${month} ${when.getUTCFullYear()} ${when.toISOString().slice(11, 16)}`;
}

followStream(list.dataset.stream, Number(list.dataset.cursor), {
  begun: Number(list.dataset.begun),
  take(kind, seq, output) {
    if (kind === "update") show(seq, output);
    refresh();
  },
  tell(now) {
    state.textContent = now === "live" ? "live" : "the connection is lost; it is tried again";
    state.classList.toggle("failed", now !== "live");
  },
});

function step(by) {
  const links = [...list.querySelectorAll("h2 a")];
  const at = links.indexOf(document.activeElement);
  links[at < 0 ? 0 : at + by]?.focus();
}
key("j", "the next event", () => step(1));
key("k", "the one before", () => step(-1));
key("/", "search", () => location.assign(list.dataset.search));
