// The scores of the pooled runs come when they are made: with many long runs that takes seconds.
import { pageData } from "./acts.js";
import { element } from "./elements.js";
import { getJson } from "./requests.js";

const data = pageData();
const state = document.getElementById("scores-state");
const cell = (words) => element("td", { className: "number", textContent: words });

async function fill() {
  const runs = await getJson(data.api);
  if (!runs) {
    state.textContent = "The scores could not be loaded. Reload the page.";
    return;
  }
  const body = document.querySelector("#scores tbody");
  for (const run of runs) {
    const row = document.createElement("tr");
    const name = element("th", { scope: "row", textContent: `${run.team} ${run.name}` });
    const count = (number) => number.toLocaleString("en");
    row.append(name,
      ...data.measures.map((one) => cell(one in run.scores ? run.scores[one].toFixed(4) : "–")),
      ...["updates", "judged", "waiting", "unpooled"].map((one) => cell(count(run[one]))));
    body.append(row);
  }
  document.getElementById("scores").hidden = false;
  // Runs share updates, so their numbers do not add up.
  const waiting = Math.max(0, ...runs.map((run) => run.waiting));
  const topics = Math.max(0, ...runs.map((run) => run.topics));
  const over = `Means over ${topics === 1 ? "the topic" : `${topics} topics`} with nuggets.`;
  state.textContent = topics === 0
    ? "No nuggets yet, so the runs cannot be scored."
    : waiting === 0
      ? `${over} All pooled updates are judged.`
      : `${over} ${runs.length > 1 ? "In each run up to " : ""}${waiting.toLocaleString("en")} pooled updates ${runs.length > 1 ? "" : "of this run "}are not judged yet.`;
}

if (data.runs) fill();
