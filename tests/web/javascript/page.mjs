// What our scripts find in a browser, as far as their logic needs it: loaded by `node --import` before each test file.
//
// `import "tidings/times.js"` finds a script in any of the folders that a site serves as one; a page's script that keeps
// something for itself is loaded anew by `fresh("acts.js")`.
import { readFileSync, existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const SOURCE = new URL("../../../src/tidings/", import.meta.url);
const FOLDERS = ["web", "live/pages", "annotation/pages"].map((wing) => new URL(`${wing}/static/`, SOURCE));

function addressOf(name) {
  const [file] = name.split("?");
  const folder = FOLDERS.find((there) => existsSync(new URL(file, there)));
  if (!folder) throw new Error(`no script ${file} in ${FOLDERS.map(fileURLToPath).join(", ")}`);
  return new URL(name, folder).href;
}

registerHooks({
  resolve(specifier, context, next) {
    const isOurs = FOLDERS.some((folder) => context.parentURL?.startsWith(folder.href));
    const name = specifier.startsWith("tidings/") ? specifier.slice("tidings/".length) : isOurs ? specifier.replace("./", "") : null;
    return name === null ? next(specifier, context) : { url: addressOf(name), shortCircuit: true };
  },
  load(url, context, next) {
    if (!FOLDERS.some((folder) => url.startsWith(folder.href))) return next(url, context);
    return { format: "module", source: readFileSync(new URL(url.split("?")[0]), "utf8"), shortCircuit: true };
  },
});

let loaded = 0;
export const fresh = (name) => import(`${pathToFileURL(fileURLToPath(addressOf(name))).href}?${(loaded += 1)}`);

// Elements: what is in them, their attributes and classes, and events that rise to whatever they stand in.

const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

class Element extends EventTarget {
  constructor(tag) {
    super();
    Object.assign(this, { tagName: tag.toUpperCase(), childNodes: [], parentElement: null, attributes: new Map(), dataset: {} });
    Object.assign(this, { hidden: false, value: "", className: "", id: "", type: "", title: "", disabled: false, checked: false, open: false });
    this.classList = {
      contains: (name) => this.className.split(" ").includes(name),
      toggle: (name, on = !this.classList.contains(name)) => {
        this.className = [...this.className.split(" ").filter((one) => one && one !== name), ...(on ? [name] : [])].join(" ");
      },
      add: (name) => this.classList.toggle(name, true),
      remove: (name) => this.classList.toggle(name, false),
    };
  }

  get children() { return this.childNodes.filter((node) => node instanceof Element); }
  get firstChild() { return this.childNodes[0] ?? null; }
  get textContent() { return this.childNodes.map((node) => (node instanceof Element ? node.textContent : node)).join(""); }
  set textContent(words) { this.replaceChildren(...(words === "" ? [] : [String(words)])); }
  get nextSibling() { return this.beside(1); }
  get nextElementSibling() { return this.beside(1); }
  get previousElementSibling() { return this.beside(-1); }

  beside(by) {
    const nodes = this.parentElement?.childNodes ?? [];
    return nodes[nodes.indexOf(this) + by] ?? null;
  }

  insertAt(place, nodes) {
    for (const node of nodes) node instanceof Element && node.remove();
    this.childNodes.splice(Math.min(place, this.childNodes.length), 0, ...nodes);
    for (const node of nodes) if (node instanceof Element) node.parentElement = this;
  }

  append(...nodes) { this.insertAt(this.childNodes.length, nodes); }
  prepend(...nodes) { this.insertAt(0, nodes); }
  before(...nodes) { for (const node of nodes) this.parentElement.insertBefore(node, this); }
  insertBefore(node, next) {
    node.remove();
    this.insertAt(next ? this.childNodes.indexOf(next) : this.childNodes.length, [node]);
  }
  replaceChildren(...nodes) {
    for (const child of this.children) child.parentElement = null;
    this.childNodes = [];
    this.append(...nodes);
  }
  replaceWith(node) { this.before(node); this.remove(); }
  remove() {
    if (this.parentElement) this.parentElement.childNodes.splice(this.parentElement.childNodes.indexOf(this), 1);
    this.parentElement = null;
  }

  getAttribute(name) { return this.attributes.get(name) ?? null; }
  setAttribute(name, value) {
    this.attributes.set(name, String(value));
    if (name.startsWith("data-")) this.dataset[camel(name.slice(5))] = String(value);
  }
  removeAttribute(name) { this.attributes.delete(name); }

  // `tag`, `.class`, `[attribute]` and `[attribute=value]` together, or several of these behind commas.
  matches(selector) {
    return selector.split(",").some((one) => one.trim().match(/^[a-z0-9]+|\.[\w-]+|\[[^\]]+\]/gi).every((part) => {
      if (part[0] === ".") return this.classList.contains(part.slice(1));
      if (part[0] !== "[") return this.tagName === part.toUpperCase();
      const [name, value] = part.slice(1, -1).split("=");
      const there = name.startsWith("data-") ? this.dataset[camel(name.slice(5))] : (this.attributes.get(name) ?? (this[name] || undefined));
      return there !== undefined && (value === undefined || String(there) === value);
    }));
  }
  closest(selector) { return this.matches(selector) ? this : (this.parentElement?.closest(selector) ?? null); }
  find(id) { return this.id === id ? this : (this.children.map((child) => child.find(id)).find(Boolean) ?? null); }
  contains(node) { return node === this || this.children.some((child) => child.contains(node)); }
  querySelectorAll(selector) {
    return this.children.flatMap((child) => [...(child.matches(selector) ? [child] : []), ...child.querySelectorAll(selector)]);
  }
  querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null; }

  send(type, fields = {}) {
    const event = Object.assign(new Event(type, { cancelable: true }), fields);
    Object.defineProperty(event, "target", { value: this });
    for (let at = this; at; at = at.parentElement ?? (at === document ? null : document)) at.dispatchEvent(event);
    return event;
  }
  click() { this.send("click"); }
  focus() { document.activeElement = this; }
  blur() { document.activeElement = null; }
  select() {}
  scrollIntoView() {}
  showModal() { this.open = true; this.setAttribute("open", ""); }
  close() { this.open = false; this.removeAttribute("open"); }
}

class Document extends Element {
  constructor() {
    super("html");
    this.visibilityState = "visible";
    this.documentElement = this;
    this.body = new Element("body");
    this.append(this.body);
  }
  createElement(tag) { return new Element(tag); }
  getElementById(id) { return this.body.find(id); }
}

// A page with such elements, `{id: tag}`, and nothing else: no storage, no address but this one.
export function makePage(ids = {}) {
  globalThis.document = new Document();
  for (const [id, tag] of Object.entries(ids)) document.body.append(Object.assign(new Element(tag), { id }));
  const kept = new Map();
  globalThis.localStorage = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, String(value)),
    removeItem: (name) => void kept.delete(name),
  };
  globalThis.location = { href: "http://site.test/page", pathname: "/page", search: "", hash: "", reload() {} };
  const windowEvents = new EventTarget();
  globalThis.window = windowEvents;
  for (const name of ["addEventListener", "removeEventListener"]) globalThis[name] = windowEvents[name].bind(windowEvents);
  globalThis.getSelection = () => ({ isCollapsed: true, rangeCount: 0 });
  globalThis.IntersectionObserver = class { observe() {} };
  return (id) => document.getElementById(id);
}

// Lets whatever waits for answers go on.
export const settle = () => new Promise((resolve) => setImmediate(resolve));

// A server: `answers` holds what it gives one time after the other, [status, data] or null for no connection. What it was
// asked is in the list that comes back.
export function serve(answers) {
  const asked = [];
  globalThis.fetch = async (path, options = {}) => {
    asked.push({ path, method: options.method ?? "GET", body: options.body && JSON.parse(options.body) });
    const answer = answers.shift();
    if (!answer) throw new TypeError("Failed to fetch");
    const [status, data] = answer;
    return { ok: status < 400, status, json: async () => data, text: async () => data };
  };
  return asked;
}

makePage();
