// The pool on the left: a row for each update, in the order chosen, filled as its updates arrive. Rows stand in blocks
// of which the browser lays out only those that are seen: it watches each block, and not each of thousands of rows.
const list = document.getElementById("pool");
const BLOCK = 50;
const buttons = new Map();
let order = []; // numbers of updates, as they stand in the list
let at = new Map();
let now = null;

const clock = new Intl.DateTimeFormat("en-GB", {
  day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: "UTC",
});
export const when = (seconds) => (seconds ? clock.format(seconds * 1000) : "");

export function begin(count, open) {
  order = Array.from({ length: count }, (_, number) => number);
  at = new Map(order.map((number) => [number, number]));
  for (const number of order) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.number = number;
    button.tabIndex = -1;
    item.append(button);
    buttons.set(number, button);
  }
  lay();
  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) open(Number(button.dataset.number));
  });
}

function lay() {
  const blocks = [];
  for (let from = 0; from < order.length; from += BLOCK) {
    const block = document.createElement("ol");
    block.start = from + 1;
    block.append(...order.slice(from, from + BLOCK).map((number) => buttons.get(number).parentElement));
    blocks.push(block);
  }
  list.replaceChildren(...blocks);
}

export function fill(number, row, copies) {
  const button = buttons.get(number);
  const head = document.createElement("small");
  const time = document.createElement("span");
  time.textContent = when(row.time) || `no. ${number + 1}`;
  const mark = document.createElement("span");
  mark.className = "mark-of";
  head.append(time, mark);
  const words = document.createElement("span");
  words.className = "words";
  words.textContent = row.text.slice(0, 240) + (copies ? ` (+${copies})` : "");
  button.replaceChildren(head, words);
}

export function showState(number, state, gone) {
  const button = buttons.get(number);
  button.className = state.matches && !state.again ? "judged" : gone ? "gone" : "";
  const mark = button.querySelector(".mark-of");
  if (!mark) return;
  const count = state.matches?.length;
  const words = !state.matches ? "" : count === 0 ? "nothing" : count === 1 ? "1 match" : `${count} matches`;
  mark.textContent = state.again ? "reopened" : state.decided ? `${words}, decided` : gone && !state.matches ? "taken by others" : words;
}

export function setNow(number) {
  if (now !== null) {
    buttons.get(now).removeAttribute("aria-current");
    buttons.get(now).tabIndex = -1;
  }
  now = number;
  const button = buttons.get(number);
  button.setAttribute("aria-current", "true");
  button.tabIndex = 0;
  button.scrollIntoView({ block: "nearest" });
}

// The numbers given stand first, in their order; then all others, by time.
export function reorder(numbers) {
  const given = new Set(numbers);
  order = [...numbers, ...Array.from(buttons.keys()).filter((number) => !given.has(number))];
  at = new Map(order.map((number, place) => [number, place]));
  lay();
  if (now !== null) buttons.get(now).scrollIntoView({ block: "nearest" });
}

export const shift = (number, by) => order[at.get(number) + by];
export const behind = (number) => order.slice(at.get(number) + 1);
export const inOrder = () => order;

export function only(which) {
  list.classList.toggle("only-open", which === "open");
  list.classList.toggle("only-judged", which === "judged");
  if (now !== null) buttons.get(now).scrollIntoView({ block: "nearest" });
}
