// Seats, dealer and focus pane, as the view says.

import { card, chip, el, icon, keyNode, lamp, span, touchable } from "./dom.js";

export function tableZone(zone, chips) {
  return el("div", { id: "table" }, seatRow(zone.seats, chips), el("div", { id: "below" }, dealer(zone.dealer), focus(zone.focus)));
}

export const seatRow = (seats, chips) => el("div", { id: "seats", "data-count": seats.length }, seats.map((seat) => seatNode(seat, chips)));

function seatNode(seat, chips) {
  const live = seat.act || seat.hold;
  const node = el(live ? "button" : "div", { type: live ? "button" : null, class: `seat ${seat.state} lift-${Math.round((seat.lift ?? 0) * 10)}${seat.pending ? " sent" : ""}${seat.looked ? " looked" : ""}`, "data-seat": seat.seat },
    span("head", el("b", { class: "number" }, String(seat.seat)), seat.word ? el("b", { class: "turn-word" }, seat.word) : seat.lamp ? lamp(seat.lamp, true) : null),
    seat.stake ? span(`stake${seat.stake.beside ? " two" : ""}`, el(seat.stake.quiet ? "span" : "b", { class: seat.stake.narrow ? "narrow" : "" }, seat.stake.text), seat.stake.beside ? span("extra", seat.stake.beside) : null) : null,
    body(seat.body, chips),
    seat.tag ? tagNode(seat.tag) : seat.foot?.text ? span(`foot-word ${seat.foot.tone ?? ""}${seat.foot.narrow ? " narrow" : ""}`, seat.foot.text) : seat.body.kind === "split" ? null : span("foot-word"));
  return live ? touchable(node, { act: seat.act, hold: seat.hold, kind: "free" }) : node;
}

function body(content, chips) {
  switch (content.kind) {
    case "text": return span(`body words ${content.tone ?? ""}${content.strong ? " strong" : ""}`, ...content.text.split(" ").map((word, at) => (at ? [" ", word] : word)).flat());
    case "ghost-chip": return span("body", span("ghost-chip"), span("word", content.text));
    case "chip": return span("body", stakeChip(content.cents, chips), content.text.text ? el("b", { class: `word${content.text.narrow ? " narrow" : ""}` }, content.text.text) : null);
    case "split": return span("body rows", content.rows.map(splitRow));
    default: return span("body hand", span(`cards${content.small ? " many" : ""}`, content.faces.map((face) => card(face, content.small ? "rank" : "plain"))), el("b", { class: `total${content.bust ? " bust" : ""}` }, content.total));
  }
}

// One chip that stands for the stake: the largest that it is made of; an unknown one has a tick.
function stakeChip(cents, chips) {
  if (cents === null || cents === undefined) return chip("✓", "#3d4f49", "stake-chip");
  const worth = [...chips].sort((one, other) => other.cents - one.cents).find((each) => each.cents <= cents) ?? chips[0];
  if (!worth) return chip("✓", "#3d4f49", "stake-chip");
  return chip(worth.value, worth.colour, "stake-chip");
}

function splitRow(row) {
  if (row.line) return span(`row line ${row.tone}`, el("i", {}, row.sign), el("b", { class: row.narrow ? "narrow" : "" }, row.amount));
  return span(`row ${row.state}${row.bust ? " bust" : ""}`, el("b", {}, row.total), span("cards", row.cards.map((face) => card(face, "rank"))));
}

const tagNode = (tag) => span(`tag ${tag.tone}`, el("b", {}, tag.word), el("b", { class: tag.amount.length > 8 ? "narrow" : "" }, tag.amount));

export function dealer(pane) {
  const size = pane.small ? "rank" : "large";
  const empty = Math.max(0, pane.slots - pane.cards.length);
  return el("div", { id: "dealer" },
    span(`cards${pane.small ? " many" : ""}`, pane.cards.map((face) => card(face, pane.cards.length > 2 && !pane.small ? "middle" : size)), Array.from({ length: empty }, () => span("place"))),
    span("said", span("about", pane.about), pane.total ? el("b", { class: `total${pane.bust ? " bust" : ""}` }, pane.total) : el("b", { class: "name" }, pane.name), pane.total ? (pane.soft ? span("note", pane.soft) : null) : span("note", pane.note)));
}

export function focus(pane) {
  const kind = { hand: handFocus, line: lineFocus, reader: readerFocus, meter: meterFocus }[pane.kind];
  return el("div", { id: "focus", class: pane.tone ?? "" }, kind(pane));
}

const said = (pane, kind = "") => span(`said ${kind}`, pane.about ? span("about", pane.about) : null, el("b", { class: "name" }, pane.name), pane.note ? span("note", pane.note) : null);

function handFocus(pane) {
  return [said(pane), span(`cards${pane.small ? " many" : ""}`, pane.faces.map((face) => card(face, pane.small ? "rank" : "large"))),
    pane.key ? keyNode({ ...pane.key, id: "late" }, "tile") : null,
    span("said end", el("b", { class: `total${pane.bust ? " bust" : ""}${pane.total.length > 3 ? " long" : ""}` }, pane.total), span("note", pane.word))];
}

function lineFocus(pane) {
  return span("line-focus", span("top", span("about", pane.about), pane.place ? span("about", pane.place) : null),
    span("money", el("b", { class: `deed ${pane.wordTone}` }, `${pane.sign} ${pane.word}`), el("b", { class: "amount" }, pane.amount), pane.beside ? span("beside", pane.beside) : null),
    span("chips", pane.chips.slice(0, 4).map((each) => span("count", chip(null, each.colour, "small-chip"), el("b", {}, `${each.value} ×${each.count}`))), pane.coins ? el("b", {}, `+ ${pane.coins}`) : null));
}

const readerFocus = (pane) => [span("sign-large", icon(pane.icon)), said(pane), pane.beside ? said(pane.beside, "end") : null];

function meterFocus(pane) {
  return [span("said", span("about", pane.about), el("b", { class: "amount" }, pane.amount), pane.fault ? span("note stop", pane.fault) : null),
    span("said end", el("b", { class: "name" }, pane.beside.name), pane.beside.note ? span("note", pane.beside.note) : null, pane.beside.lamps.length ? span("lamps", pane.beside.lamps.map((each) => lamp(each))) : null)];
}
