// A stream of outputs, followed without a gap: each output once, in order, from a cursor on.
//
// The browser itself comes again after a lost connection, and says after which output. What it does not notice is
// seen here: a stream that fell silent (a laptop slept, a proxy let go), one that the server refused, a page that
// comes back from the browser's memory. Then the stream is opened anew after the last output that arrived.
const SILENT_MS = 40_000; // pings come every 15 s
const TICK_MS = 5_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const KINDS = ["update", "value", "entities", "support"];

// `take(kind, seq, output)` is called for each output (a line of a run file), `onState(state)` with "live" or "waiting"
// where that changes. A run that was begun anew at another time than `begun`, or has not come to the cursor, counts
// anew: then `forget()` is called. Gives { cursor(), reopen(), close() }.
export function followStream(address, after, { begun = 0, take, onState = () => {}, forget = () => location.reload() }) {
  let cursor = after;
  let source = null;
  let heard = Date.now();
  let ticked = Date.now();
  let wait = FIRST_WAIT_MS;
  let timer = 0;
  let state = "";

  function setState(next) {
    if (next !== state) onState((state = next));
  }

  function open() {
    clearTimeout(timer);
    timer = 0;
    source?.close();
    heard = Date.now();
    const mine = new EventSource(`${address}${address.includes("?") ? "&" : "?"}after=${cursor}`);
    source = mine;
    mine.addEventListener("open", () => {
      heard = Date.now();
      wait = FIRST_WAIT_MS;
      setState("live");
    });
    mine.addEventListener("ping", () => (heard = Date.now()));
    mine.addEventListener("run", (message) => {
      heard = Date.now();
      const run = JSON.parse(message.data);
      if (source === mine && ((begun && run.begun !== begun) || run.cursor < cursor)) {
        mine.close();
        source = null;
        forget();
      }
    });
    for (const kind of KINDS) {
      mine.addEventListener(kind, (message) => {
        if (source !== mine) return; // of a stream that was left
        heard = Date.now();
        const seq = Number(message.lastEventId);
        if (!(seq > cursor)) return; // it came before
        cursor = seq;
        take(kind, seq, JSON.parse(message.data));
      });
    }
    mine.addEventListener("error", () => {
      if (source !== mine) return;
      setState("waiting");
      if (mine.readyState === EventSource.CLOSED) later(); // refused: the browser does not come again by itself
    });
  }

  function later() {
    source?.close();
    clearTimeout(timer);
    timer = setTimeout(open, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }

  function tick() {
    const now = Date.now();
    const slept = now - ticked > 4 * TICK_MS;
    ticked = now;
    if (timer && !slept) return;
    if (slept || now - heard > SILENT_MS) {
      setState("waiting");
      open();
    }
  }

  const woken = () => {
    if (document.visibilityState === "visible" && Date.now() - heard > SILENT_MS / 2) open();
  };
  const online = () => open();
  const shown = (event) => event.persisted && open();
  const hidden = () => source?.close(); // a page with an open stream is not kept in memory
  const ticking = setInterval(tick, TICK_MS);
  document.addEventListener("visibilitychange", woken);
  window.addEventListener("online", online);
  window.addEventListener("pageshow", shown);
  window.addEventListener("pagehide", hidden);
  open();

  return {
    cursor: () => cursor,
    reopen: open,
    close() {
      clearInterval(ticking);
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", woken);
      window.removeEventListener("online", online);
      window.removeEventListener("pageshow", shown);
      window.removeEventListener("pagehide", hidden);
      source?.close();
      source = null;
    },
  };
}

// A function for `onState` that writes it for the reader.
export function stateWriter(line) {
  return (state) => {
    line.textContent = state === "live" ? "live" : "connection lost, reconnecting";
    line.classList.toggle("failed", state !== "live");
  };
}
