// Making elements, and icons that take the colour of the text around them.

/** @typedef {Node|string|number|null|false|undefined} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an element. Names that begin with "on" are listeners, "data" and "style" take objects, the
 * rest are attributes; null and false leave an attribute out.
 * @param {string} tag
 * @param {Record<string, any>} [about]
 * @param {...(Child|Child[])} children
 * @returns {HTMLElement}
 */
export function h(tag, about = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(about)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "style") for (const [key, text] of Object.entries(value)) element.style.setProperty(key, String(text));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((c) => c !== null && c !== undefined && c !== false).map((c) => (c instanceof Node ? c : String(c))));
  return element;
}

/**
 * An icon of the sprite in the page.
 * @param {string} name
 * @param {string} [className]
 */
export function icon(name, className = "icon") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

/**
 * Put `fresh` in the place of what an element holds; the focus stays on the part of the same key.
 * @param {HTMLElement} place
 * @param {...(Child|Child[])} fresh
 */
export function refill(place, ...fresh) {
  const active = document.activeElement;
  const key = active instanceof HTMLElement && place.contains(active) ? active.dataset.key : undefined;
  place.replaceChildren(...fresh.flat().filter((c) => c instanceof Node));
  if (key === undefined) return;
  const again = [...place.querySelectorAll("[data-key]")].find((e) => /** @type {HTMLElement} */ (e).dataset.key === key);
  if (again instanceof HTMLElement && !again.hasAttribute("disabled")) again.focus({ preventScroll: true });
}
