// An element with its properties or attributes, and what is in it; what is null is left out.
export function element(tag, attributes = {}, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) continue;
    if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...inside.filter((part) => part !== null));
  return made;
}

export const textElement = (tag, text, more = {}) => element(tag, { textContent: text, ...more });
