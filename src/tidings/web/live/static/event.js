// An event's story: what is told arrives as it is told.
const list = document.getElementById("updates");
const source = new EventSource(list.dataset.stream);
source.addEventListener("update", (message) => {
  if (document.getElementById(`u${message.lastEventId}`)) return;
  const update = JSON.parse(message.data);
  const item = document.createElement("li");
  item.id = `u${message.lastEventId}`;
  const time = document.createElement("time");
  time.textContent = new Date(update.time * 1000).toISOString().slice(0, 16).replace("T", " ");
  item.append(time, ` ${update.text}`);
  list.prepend(item);
});
