// What can stand in the zone besides the seats: tiles, pads, steps, amounts.

import { card, chip, el, icon, keyNode, span, touchable } from "./dom.js";
import { jackpot, opening, relief, signatureBox } from "./evidence.js";
import { INSPECTING, track } from "./inspecting.js";
import { seatRow, tableZone } from "./table.js";

export function zoneNode(zone, chips) {
  const kind = ZONES[zone.kind] ?? (() => el("div"));
  return kind(zone, chips);
}

const tile = (entry, kind = "tile") => keyNode(entry, kind);

function tiles(zone) {
  const grid = el("div", { class: `tiles cols-${zone.columns} rows-${zone.rows ?? 3}` }, zone.tiles.map((entry) => tile({ ...entry, stacked: zone.stacked })));
  if (zone.foot) return el("div", { class: "with-track" }, grid, span("tell", zone.foot));
  return zone.track ? el("div", { class: "with-track" }, track(zone.track), grid) : grid;
}

function pad(zone) {
  const { readout } = zone;
  const shown = span("readout", readout.about ? span("about", readout.about) : null,
    readout.dots ? span("dots", Array.from({ length: readout.dots.of }, (_, at) => span(at < readout.dots.typed ? "dot full" : "dot"))) : el("b", {}, readout.text, readout.caret ? span("caret") : null),
    readout.right ? span(`right ${readout.right.tone ?? ""}`, readout.right.text) : null);
  const keys = el("div", { class: `pad cols-${zone.columns}${zone.shuffled ? " shuffled" : ""}` }, zone.keys.map((entry) => tile(entry, `pad-key${entry.quiet ? " quiet" : ""}`)));
  const main = el("div", { class: "pad-main" }, el("div", { class: "pad-top" }, shown, zone.beside ? tile(zone.beside) : null), keys);
  return zone.side ? el("div", { class: "pad-zone with-side" }, el("div", { class: "pad-side" }, zone.side.map((entry) => tile(entry))), main) : el("div", { class: "pad-zone" }, main);
}

function cards(zone) {
  return el("div", { class: "card-pad" }, zone.track.length ? track(zone.track) : null, el("div", { class: `ranks cols-${zone.columns}` }, zone.keys.map((entry) => tile(entry, entry.words ? "pad-key words" : "pad-key"))));
}

function amounts(zone) {
  return el("div", { class: "amounts" },
    el("div", { class: "amount-seats", "data-count": zone.seats.length }, zone.seats.map((entry) => tile({ ...entry, noteNarrow: entry.narrow }))),
    el("div", { class: "amount-tabs" }, zone.tabs.map((entry) => tile(entry))),
    el("div", { class: "amount-chips" }, zone.chips.map((each) => touchable(el("button", { type: "button", class: "tile chip-key", "aria-label": `add ${each.value}`, "data-chip": each.value }, chip(each.value, each.colour, "large-chip")), { act: each.act, kind: "free" }))),
    span("readout", el("b", {}, zone.readout.text), zone.readout.chips.length ? span("chips", zone.readout.chips.map((each) => span("count", chip(null, each.colour, "small-chip"), el("b", {}, `${each.value} ×${each.count}`)))) : span("right", zone.readout.note)),
    zone.keys.map((entry) => tile(entry)));
}

function steps(zone) {
  const marks = { now: (at) => String(at), open: (at) => String(at), never: () => "✕" };
  const list = el("div", { class: `steps ${zone.tone ?? ""}` }, zone.steps.map((step, at) => span(`step ${step.state}`, span("mark", marks[step.state](at + 1)), span("words", step.text))));
  const { side } = zone;
  return el("div", { class: `steps-zone ${zone.shape ?? ""}` }, list, side ? el("div", { class: "steps-side" }, el("b", {}, side.title), side.card ? card(side.card, "large") : null,
    (side.rows ?? []).map((row) => span(`side-row ${row.tone ?? ""}`, span("label", `${row.tone === "ok" ? "✓ " : row.tone === "stop" ? "✕ " : ""}${row.label}`), span("value", row.value))), side.text ? span("side-text", side.text) : null) : null);
}

function procedure(zone, chips) {
  const parts = [track(zone.track)];
  if (zone.keys) parts.push(el("div", { class: "up-keys" }, zone.keys.map((entry) => tile(entry, "tile up"))), track(zone.small));
  if (zone.seats) parts.push(seatRow(zone.seats, chips), span("service", span("about", zone.foot.label), el("b", {}, zone.foot.strong), span("about end", zone.foot.right)));
  return el("div", { class: `procedure ${zone.keys ? "up" : "seats"}` }, parts);
}

// Facts in panels: rows of a name and a value, sentences, hashes; beside them tiles to choose from.
function sheet(zone) {
  const panels = el("div", { class: `panels${zone.stacked ? " stacked" : ""}` }, zone.panels.map(panel), zone.foot ? span(`sheet-foot ${zone.foot.tone ?? ""}`, span("left", zone.foot.left), span("right", zone.foot.right)) : null);
  const list = zone.list ? el("div", { class: "sheet-list" }, zone.list.tiles.map((entry) => tile(entry)), zone.list.note ? span("sheet-note", zone.list.note) : null) : null;
  return el("div", { class: `sheet${zone.side ? " with-side" : ""}${zone.top ? " with-top" : ""}${list ? " with-list" : ""}` },
    zone.side ? el("div", { class: "sheet-side" }, zone.side.map((entry) => tile(entry))) : null, zone.top ? el("div", { class: "sheet-top" }, zone.top.map((entry) => tile(entry))) : null, panels, list);
}

const fact = ([label, value, tone]) => span(`fact ${tone ?? ""}`, span("about", label), el("b", { class: value.length > 22 ? "narrow" : "" }, `${tone === "ok" ? "✓ " : tone === "stop" ? "✕ " : ""}${value}`));

function panel(each) {
  return el("section", { class: `panel ${each.tone ?? ""}` }, each.title ? span("panel-head", el("b", {}, each.title), each.right ? span("about", each.right) : null) : null,
    (each.text ?? []).map((text) => el("p", {}, text)), each.mono?.length ? span("mono", each.mono.map((group) => span("group", group))) : null,
    each.rows?.length ? span(`facts${each.columns === 2 ? " two" : ""}`, each.rows.map(fact)) : null);
}

// A round as a film: six frames or seven, the table at that moment below.
function film(zone) {
  const frame = (each) => touchable(el("button", { type: "button", class: `frame ${each.now ? "now" : ""}` }, span("about", each.when), each.card ? card(each.card, "plain") : icon(each.icon), el("b", { class: each.what.length > 12 ? "narrow" : "" }, each.what), span("about", each.who)), { act: each.act, kind: "free" });
  return el("div", { class: "film" }, el("div", { class: "strip-of-film" }, zone.frames.map(frame)), el("div", { class: "then", "data-count": zone.table.length }, zone.table.map((each) => span(`seat-then ${each.now ? "now" : ""}`, span("about", each.name), el("b", { class: each.bust ? "stop" : "" }, each.total), span("word", each.word)))));
}

// Two people: who has signed, who is missing.
const signatures = (zone) => el("div", { class: "signatures" }, zone.boxes.map(signatureBox));

const ZONES = { ...INSPECTING, jackpot, opening, relief, sheet, film, signatures, table: tableZone, tiles, pad, cards, amounts, steps, procedure, empty: () => el("div") };
