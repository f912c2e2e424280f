// Small helpers for building what is shown. Text is only ever set as text.

export function el(tag, options = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") node.className = value;
    else if (name === "click") node.addEventListener("click", value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export function button(label, click, options = {}, note = null) {
  const inside = note ? [el("b", {}, label), el("small", {}, note)] : [el("b", {}, label)];
  return el("button", { type: "button", click, ...options }, ...inside);
}

// Whole cents as dollars; no arithmetic with fractions.
export function money(cents) {
  if (cents === null || cents === undefined) return "chips";
  const sign = cents < 0 ? "-" : "";
  const whole = Math.abs(cents);
  const dollars = Math.floor(whole / 100).toString().replace(/\B(?=(\d{3})+$)/g, ",");
  const rest = whole % 100;
  return `${sign}$${dollars}${rest ? "." + String(rest).padStart(2, "0") : ""}`;
}

// As the play script writes an amount.
export function scriptAmount(cents) {
  const rest = cents % 100;
  return `${Math.floor(cents / 100)}${rest ? "." + String(rest).padStart(2, "0") : ""}`;
}

export const SUITS = { c: ["♣", "black"], d: ["♦", "red"], h: ["♥", "red"], s: ["♠", "black"] };

// A card that lies face up, or the one constant back.
export function card(text, large = false) {
  const size = large ? " large" : "";
  if (text === "?") return el("span", { class: `card back${size}`, "aria-label": "face down" });
  const [sign, colour] = SUITS[text[1]];
  const rank = text[0] === "T" ? "10" : text[0];
  return el("span", { class: `card ${colour}${size}` }, el("b", {}, rank), el("i", {}, sign));
}

// `monster-match` as `Monster Match`.
export function title(id) {
  return id.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
}
