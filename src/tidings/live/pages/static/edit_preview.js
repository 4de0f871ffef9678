// A preview that is being made: how far it is, and the page again when it is done.
const line = document.getElementById("progress");
const bar = line.querySelector("progress");
const words = line.querySelector("span");

async function look() {
  try {
    const answer = await fetch(line.dataset.state);
    if (!answer.ok) return location.reload();
    const { state, read, documents } = await answer.json();
    if (state !== "made") return location.reload();
    bar.max = documents || 1;
    bar.value = read;
    words.textContent = `${read.toLocaleString("en")} of ${documents.toLocaleString("en")} articles read`;
  } catch {
    words.textContent = "The server is not responding. The preview will continue when it does.";
  }
  setTimeout(look, 400);
}

setTimeout(look, 300);
