// All events: the latest of each as it is emitted; the order of the page stays while one looks at it.
import { key } from "./keys.js";
import { followStream, stateWriter } from "./live_stream.js";
import { refresher } from "./refresh.js";
import { isoTime, when } from "./times.js";
import { clean, outletOf } from "./update_items.js";

const list = document.getElementById("events");
const refresh = refresher();

function show(seq, update) {
  const card = [...list.querySelectorAll("[data-event]")].find((card) => card.dataset.event === update.event);
  if (!card) return;
  const latest = card.querySelector(".latest");
  if (!latest) return;
  latest.querySelector(".said").textContent = clean(update.text ?? "");
  latest.querySelector(".said").dir = "auto";
  latest.querySelector("time").textContent = when(update.time);
  latest.querySelector("time").dateTime = isoTime(update.time);
  latest.querySelector(".outlet").textContent = outletOf(update);
  latest.querySelector("a").href = `${card.dataset.links}${seq}`;
  latest.hidden = false;
  card.classList.remove("arrived");
  void card.offsetWidth; // so that it is shown again
  card.classList.add("arrived");
}

followStream(list.dataset.stream, Number(list.dataset.cursor), {
  begun: Number(list.dataset.begun),
  take(kind, seq, output) {
    if (kind === "update") show(seq, output);
    refresh();
  },
  onState: stateWriter(document.getElementById("live-state")),
});

function step(by) {
  const links = [...list.querySelectorAll("h2 a")];
  const at = links.indexOf(document.activeElement);
  links[at < 0 ? 0 : at + by]?.focus();
}
key("j", "next story", () => step(1));
key("k", "previous", () => step(-1));
key("/", "search", () => location.assign(list.dataset.search));
