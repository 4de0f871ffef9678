() => {
  const saving = document.getElementById("saving"), of = document.getElementById("of");
  window.took = { saved: [], shown: [] };
  let pressed = 0, moved = 0;
  addEventListener("keydown", () => { pressed = moved = performance.now(); }, true);
  new MutationObserver(() => {
    if (saving.textContent === "all saved" && pressed) {
      window.took.saved.push(performance.now() - pressed); pressed = 0; }
  }).observe(saving, { childList: true, characterData: true, subtree: true });
  new MutationObserver(() => {
    const began = moved; moved = 0;
    if (began) requestAnimationFrame(() => setTimeout(() => window.took.shown.push(performance.now() - began)));
  }).observe(of, { childList: true, characterData: true, subtree: true });
}
