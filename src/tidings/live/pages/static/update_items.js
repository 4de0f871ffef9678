// Updates as items of a list, made of a template of the server's: text only ever becomes text.
import { clock, isoDate, isoTime } from "./times.js";

const LINKABLE = /^https?:\/\/[^/?#\s@]+([/?#][^\s\\<>"'`{}|^]*)?$/i;
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufff9-\ufffb]/g;
const BLANKS = /[\t\n\r\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/g;

export const clean = (text) => text.replace(BLANKS, " ").replace(CONTROLS, "\ufffd");
export const linkable = (url) => LINKABLE.test(url) && url.length <= 2000 && clean(url) === url;

export function outletOf(update) {
  if (update.source || !linkable(update.url ?? "")) return clean(update.source ?? "");
  return new URL(update.url).host.toLowerCase().replace(/^www\./, "");
}

// The item of an update that came by the stream; `links` is what its permanent link begins with.
export function makeItem(template, seq, update, links) {
  const item = template.content.firstElementChild.cloneNode(true);
  item.id = `u${seq}`;
  item.dataset.seq = seq;
  item.dataset.date = isoDate(update.time);
  for (const part of item.querySelectorAll("[data-seq]")) part.dataset.seq = seq;
  const time = item.querySelector("time");
  time.dateTime = isoTime(update.time);
  time.textContent = clock(update.time);
  item.querySelector("a.when").href = `${links}${seq}`;
  const said = item.querySelector(".said");
  said.textContent = clean(update.text ?? "") || update.update;
  said.dir = "auto";
  const outlet = outletOf(update);
  const title = clean(update.title ?? "");
  const words = [outlet, title === said.textContent ? "" : title].filter(Boolean).join(": ");
  const source = item.querySelector(".source");
  source.replaceChildren();
  if (linkable(update.url ?? "")) {
    const link = document.createElement("a");
    link.href = update.url;
    link.rel = "noopener noreferrer nofollow";
    link.textContent = words || "source";
    source.append(link);
  } else source.textContent = words;
  for (const part of item.querySelectorAll("[data-update-text]")) part.dataset.updateText = update.text ?? "";
  const tools = item.querySelector("[data-update-id]");
  if (tools) tools.dataset.updateId = update.update;
  return item;
}
