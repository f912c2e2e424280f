// Making elements. Text is only ever set as text; sizes come from classes.

const SVG = "http://www.w3.org/2000/svg";

export function el(tag, options = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") node.className = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const span = (kind, ...children) => el("span", { class: kind }, ...children);

// Strokes on a field of 24 by 24.
const ICONS = {
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 21c0-4 3.5-6.5 8-6.5s8 2.5 8 6.5",
  warning: "M12 3 22 20H2ZM12 9v5M12 17v.5", undo: "M9 5 4 10l5 5M4 10h10a6 6 0 0 1 0 12h-3", lock: "M5 11h14v10H5ZM8 11V7a4 4 0 0 1 8 0v4",
  check: "M4 13l5 5L20 6", cross: "M5 5l14 14M19 5 5 19", left: "M15 4 7 12l8 8", pause: "M8 4v16M16 4v16",
  badge: "M6 3h12v18H6ZM12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8.5 17c0-2 1.5-3 3.5-3s3.5 1 3.5 3",
  chip: "M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20ZM12 17a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM12 2v5M12 17v5M2 12h5M17 12h5",
  reader: "M8 3h8v9H8ZM12 5v5M9.5 8 12 10.5 14.5 8M5 12v5h14v-5M2 14v7h20v-7", shoe: "M3 10 12 4l9 4v12H3ZM13 20v-7l8-2M7 13h4M7 16h3",
  shuffle: "M3 7h4l8 10h6M17 13l4 4-4 4M3 17h4l2.5-3M13 9l2-2h6M17 3l4 4-4 4", card: "M6 2h12v20H6ZM12 7c2 2.5 3 3 3 5a3 3 0 0 1-6 0c0-2 1-2.500 3-5ZM12 14v3",
  hand: "M7 12V6a1.500 1.500 0 0 1 3 0v5M10 10V4a1.500 1.500 0 0 1 3 0v6M13 10V5a1.500 1.500 0 0 1 3 0v6M16 11V8a1.500 1.500 0 0 1 3 0v7c0 4-2.500 7-6.500 7-3 0-4.500-1.500-6-4l-2.500-5a1.500 1.500 0 0 1 2.500-1.500L7 13",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l2 2H4ZM10 22h4", swap: "M4 8h15M15 4l4 4-4 4M20 16H5M9 12l-4 4 4 4", shield: "M12 2 4 5v6c0 5 3.500 9 8 11 4.500-2 8-6 8-11V5ZM8.500 12l2.500 2.500L15.500 9",
  door: "M5 21V3h9v18M3 21h18M17 7v14M11 12v1", void: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM5.500 5.500l13 13", gauge: "M3 18a9 9 0 1 1 18 0M12 15l4-5", plug: "M9 3v5M15 3v5M6 8h12v4a6 6 0 0 1-12 0ZM12 18v4",
  table: "M4 6h9v14H4ZM13 4h7v14h-7", tiles: "M4 4h7v7H4ZM13 4h7v7h-7ZM4 13h7v7H4ZM13 13h7v7h-7Z", print: "M7 8V3h10v5M7 17H3V8h18v9h-4M7 14h10v7H7Z",
  film: "M2 5h20v14H2ZM2 9h20M2 15h20M7 5v4M12 5v4M17 5v4M7 15v4M12 15v4M17 15v4", bars: "M3 21h18M6 21v-7M12 21V5M18 21v-10", hash: "M9 3 7 21M17 3l-2 18M4 9h17M3 15h17",
};

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name] ?? "");
  svg.append(path);
  return svg;
}

// A chip with its value: edge marks, ring, number.
export function chip(value, colour, size) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 48 48");
  svg.setAttribute("class", `chip ${size}`);
  svg.setAttribute("aria-hidden", "true");
  const circle = (r, fill, stroke, width, dash) => {
    const node = document.createElementNS(SVG, "circle");
    for (const [name, set] of Object.entries({ cx: 24, cy: 24, r, fill, stroke, "stroke-width": width, "stroke-dasharray": dash ?? "none" })) node.setAttribute(name, set);
    return node;
  };
  svg.append(circle(23, colour, "none", 0), circle(20.5, "none", "#f5f1e7", 5, "8 8.1"), circle(15, "none", "#f5f1e7", 1.2));
  if (value !== null) {
    const text = document.createElementNS(SVG, "text");
    for (const [name, set] of Object.entries({ x: 24, y: 24, "text-anchor": "middle", "dominant-baseline": "central", fill: "#fff" })) text.setAttribute(name, set);
    text.setAttribute("class", value.length > 3 ? "long" : "");
    text.textContent = value;
    svg.append(text);
  }
  return svg;
}

export function card(face, size) {
  if (face.back) return el("span", { class: `card back ${size}`, role: "img", "aria-label": "face down" }, icon("lock"));
  return el("span", { class: `card ${face.colour} ${size}${face.foot ? " foot" : ""}` }, el("b", {}, face.rank), size === "rank" ? null : el("i", {}, face.suit));
}

export const lamp = ({ shape, word, tone }, said = true) => span(`lamp ${tone}`, span(`sign ${shape}`), said ? span("said", word) : null);

// What can be touched carries its act; one listener on the page reads it.
const acts = new WeakMap();
export const actOf = (node) => acts.get(node);
export function touchable(node, target) {
  acts.set(node, target);
  return node;
}

// What cannot be pressed now, for whoever has it read aloud.
export const closed = { role: "button", "aria-disabled": "true" };

// A key: label, note, sign. Without an act and a hold it is a well.
export function keyNode(key, kind) {
  const live = key.act || key.hold;
  const beside = key.icon && kind === "tile" && !key.stacked;
  // `fixed`: it only says something.
  const node = el(live ? "button" : "span", {
    type: live ? "button" : null, ...(live || key.fixed ? {} : closed), class: [kind, live || key.fixed ? "" : "well", key.tone ? `tone-${key.tone}` : "", key.chosen ? "chosen" : "", key.ghost ? "ghost" : "", key.colour ?? "", key.stacked ? "stacked" : ""].filter(Boolean).join(" "),
    "data-id": key.id, "data-word": key.word, "aria-pressed": key.chosen === undefined || !live ? null : String(Boolean(key.chosen)),
  }, beside ? icon(key.icon) : null,
    span("text", span("label", key.icon && !beside ? icon(key.icon) : null, el("b", { class: key.narrow ? "narrow" : "" }, key.label)), key.note ? el("small", { class: key.noteNarrow ? "narrow" : "" }, key.note) : null, key.more ? el("small", { class: `more ${key.moreTone ?? ""}` }, key.more) : null),
    key.right ? span("right", key.right) : null, key.ticks ? span("ticks", el("i"), el("i"), el("i"), el("i")) : null);
  return live ? touchable(node, { act: key.act, hold: key.hold, kind: kind === "slot" && !key.pageKey ? "slot" : "free", locks: key.locks }) : node;
}
