// The pages of an inspection: seals, the grid of test cards, why a step failed, a step in words, the signed record.

import { el, keyNode, span } from "./dom.js";

const tile = (entry, kind = "tile") => keyNode(entry, kind);
export const track = (cells) => el("div", { class: "track" }, cells.map((cell) => span(`cell ${cell.tone ?? ""}`, cell.text)));
const under = (zone, ...parts) => el("div", { class: "with-track inspection" }, track(zone.track), ...parts);

function seals(zone) {
  const box = (seal) => el("div", { class: `seal-box ${seal.tone ?? ""}` }, span("seal-said", span("about", seal.name), el("b", { class: "mono-number" }, seal.number), span("seal-note", seal.note)),
    seal.keys.length ? span("seal-keys", seal.keys.map((entry) => tile(entry, entry.strong ? "tile strong" : "tile"))) : null);
  return under(zone, el("div", { class: "seals" }, zone.seals.map(box)));
}

function cardGrid(zone) {
  const row = (each) => [span("row-name", el("b", {}, each.label), span("about", each.note)), ...each.cells.map((cell) => (cell ? span(`grid-cell ${cell.tone}`, cell.text) : span("grid-cell none")))];
  const cells = el("div", { class: `card-grid columns-${zone.columns.length} lines-${zone.rows.length}` }, span("row-name"), ...zone.columns.map((column) => span(`column-name${column.length > 5 ? " narrow" : ""}`, column)), ...zone.rows.flatMap(row));
  return under(zone, cells, el("div", { class: "grid-foot" }, zone.foot.map(([number, word]) => span("count-of", el("b", {}, number), ` ${word}`))));
}

function whyFailed(zone) {
  const then = el("section", { class: "panel stop then-panel" }, span("panel-head", el("b", {}, "Then")), zone.then.map((text, at) => span("step open", span("mark", String(at + 1)), span("words", text))), zone.found ? el("p", { class: "found" }, zone.found) : null);
  return under(zone, el("div", { class: "why-failed" }, el("div", { class: "tiles cols-2 rows-3" }, zone.tiles.map((entry) => tile(entry))), then));
}

// A step in words: what to look at, what was found before; at the counters the days before as bars.
function inspection(zone) {
  const note = (each) => span(`side-row ${each.tone}`, span("label", `${each.tone === "ok" ? "✓" : "✕"} ${each.label}`), span("value", each.value));
  const bars = zone.bars ? span("trend", zone.bars.map((bar) => span(`bar ${bar.now ? "now" : ""}`, span(`height h-${bar.height}`), span("about", bar.day), span("about", bar.text)))) : null;
  return under(zone, el("div", { class: "panels" }, el("section", { class: "panel" }, el("p", { class: "large" }, zone.text), bars), el("section", { class: "panel notes" }, zone.notes.length ? zone.notes.map(note) : el("p", {}, "Nothing before this."))));
}

function record(zone) {
  const line = (step) => span(`record-step ${step.tone}`, el("b", {}, step.label), span("about narrow", step.note), span("mark-word", step.mark));
  const fact = ([label, value]) => span("fact", span("about", label), el("b", {}, value));
  return el("div", { class: "record" }, el("section", { class: "panel record-steps" }, zone.steps.map(line)),
    el("section", { class: "panel" }, span("panel-head", el("b", {}, "Signed"), span("about", `record ${zone.number}`)), span("facts", zone.signed.map(fact)), span(`due ${zone.due.tone}`, el("b", {}, zone.due.title), span("", zone.due.text))));
}

export const INSPECTING = { seals, "card-grid": cardGrid, "why-failed": whyFailed, inspection, record };
