// A list of thousands of rows: the first ones are made at once, more as someone comes near the end of them. Rows that
// are out of sight cost nothing to lay out (content-visibility, in the style sheet).
const CHUNK = 60;

// `make(id)` gives the element of a row. `pane` is what scrolls.
export function longList(list, pane, make) {
  const rows = new Map();
  let ids = [];
  let shown = CHUNK;
  const end = document.createElement("li");
  end.className = "end";
  end.setAttribute("aria-hidden", "true");
  new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) more(CHUNK * 4); },
    { root: pane, rootMargin: "1200px" }).observe(end);

  function row(id) {
    if (!rows.has(id)) rows.set(id, make(id));
    return rows.get(id);
  }

  function more(count) {
    if (shown >= ids.length) return;
    const added = ids.slice(shown, shown + count).map(row);
    shown += added.length;
    end.before(...added);
    if (shown >= ids.length) end.remove();
  }

  // Show these rows, in this order; rows that stay are not made anew.
  function show(given) {
    ids = given;
    shown = Math.min(Math.max(shown, CHUNK), ids.length);
    const wanted = ids.slice(0, shown);
    const kept = new Set(wanted);
    for (const [id, element] of rows) if (!kept.has(id)) { element.remove(); rows.delete(id); }
    let place = list.firstChild;
    for (const id of wanted) {
      const element = row(id);
      if (element === place) place = place.nextSibling;
      else list.insertBefore(element, place);
    }
    if (shown < ids.length) list.append(end);
    else end.remove();
  }

  return {
    show,
    at: (id) => rows.get(id) ?? null,
    ids: () => ids,
    anew: (id) => { const old = rows.get(id); if (old) { rows.set(id, make(id)); old.replaceWith(rows.get(id)); } },
    reveal: (id) => {
      const place = ids.indexOf(id);
      if (place < 0) return null;
      if (place >= shown) more(place - shown + CHUNK);
      return rows.get(id);
    },
    forget: () => { for (const element of rows.values()) element.remove(); rows.clear(); shown = CHUNK; },
  };
}

// What a page begins with: the updates of the pool, and how the visitor's judgments stand.
export async function begun(path) {
  const answers = await Promise.all([fetch(`${path}/updates`), fetch(path)]);
  for (const one of answers) {
    if (!one.ok) {
      const words = (await one.json().catch(() => ({}))).message ?? "The updates could not be loaded.";
      document.getElementById("left").textContent = `${words} Reload the page.`;
      throw new Error(words);
    }
  }
  return Promise.all(answers.map((one) => one.json()));
}
