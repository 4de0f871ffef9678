// Parts of a page that the server draws (marked data-fresh, with an id), drawn again when something changed.
const AT_MOST_EVERY_MS = 3_000;

// Gives a function that asks for it; it is done soon, and not while `mayChange` says that someone reads there.
export function refresher(mayChange = () => true) {
  let timer = 0;
  let done = -Infinity;

  async function draw() {
    timer = 0;
    if (document.visibilityState !== "visible" || !mayChange()) {
      ask();
      return;
    }
    done = performance.now();
    let fresh;
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      if (!answer.ok) throw new Error(String(answer.status));
      fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      ask();
      return;
    }
    if (!mayChange()) {
      ask();
      return;
    }
    for (const part of document.querySelectorAll("[data-fresh][id]")) {
      const other = fresh.getElementById(part.id);
      const isUsed = part.contains(document.activeElement) || part.querySelector("details[open]");
      if (other && !isUsed && other.innerHTML !== part.innerHTML) part.replaceWith(document.adoptNode(other));
    }
    if (!timer) delete document.documentElement.dataset.behind;
    document.dispatchEvent(new CustomEvent("tidings:refreshed"));
  }

  function ask() {
    document.documentElement.dataset.behind = ""; // what the server drew is older than what has come since
    if (timer) return;
    const since = performance.now() - done;
    timer = setTimeout(draw, Math.max(700, AT_MOST_EVERY_MS - since) + Math.random() * 800);
  }
  return ask;
}
