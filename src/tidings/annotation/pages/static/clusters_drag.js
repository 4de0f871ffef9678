// Dragging by mouse, beside the keys and buttons: updates and members onto clusters, "new", "not relevant" or back onto
// the list; a cluster's head onto another cluster, which merges them.
const UPDATE = "application/x-tidings-update";
const CLUSTER = "application/x-tidings-cluster";

export function dragging({ onCluster, onNew, onOut, onBack, mergeInto }) {
  const zones = { new: document.getElementById("drop-new"), out: document.getElementById("drop-out") };
  const list = document.getElementById("updates");
  let over = null;

  function enter(place) {
    if (over === place) return;
    over?.classList.remove("over");
    over = place;
    over?.classList.add("over");
  }

  // Where something would fall: a cluster, a zone, or (for members of clusters) the list.
  function target(event) {
    const kinds = event.dataTransfer.types;
    const card = event.target.closest?.(".card");
    if (card && (kinds.includes(UPDATE) || kinds.includes(CLUSTER))) return card;
    if (!kinds.includes(UPDATE)) return null;
    return event.target.closest?.(".zone") ?? event.target.closest?.("#updates");
  }

  document.addEventListener("dragstart", (event) => {
    const update = event.target.closest?.("[data-update]")?.dataset.update ?? event.target.closest?.(".row")?.dataset.id;
    const cluster = event.target.closest?.(".pick")?.closest(".card").dataset.id;
    if (!update && !cluster) return;
    event.dataTransfer.setData(update ? UPDATE : CLUSTER, update ?? cluster);
    event.dataTransfer.effectAllowed = "move";
    // Showing the zones moves what is under the pointer: not before the drag has begun.
    if (update) setTimeout(() => { for (const zone of Object.values(zones)) zone.hidden = false; });
  });
  document.addEventListener("dragover", (event) => {
    const place = target(event);
    enter(place);
    if (place) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    const place = target(event);
    if (!place) return;
    event.preventDefault();
    const update = event.dataTransfer.getData(UPDATE);
    const cluster = event.dataTransfer.getData(CLUSTER);
    if (cluster) mergeInto(cluster, place.dataset.id);
    else if (place.matches(".card")) onCluster(update, place.dataset.id);
    else if (place === zones.new) onNew(update);
    else if (place === zones.out) onOut(update);
    else if (place === list) onBack(update);
  });
  document.addEventListener("dragend", () => {
    enter(null);
    for (const zone of Object.values(zones)) zone.hidden = true;
  });
}
