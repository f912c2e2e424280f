// What is laid out for whoever signs: a jackpot's evidence, the opening, a relief.

import { card, el, keyNode, span } from "./dom.js";

const rows = (list) => span("facts", list.map(([label, value, tone]) => span(`fact ${tone ?? ""}`, span("about", label), el("b", {}, `${tone === "ok" ? "✓ " : tone === "stop" ? "✕ " : ""}${value}`))));
const head = (title, word, tone) => span("panel-head", el("b", {}, title), word ? span(`word ${tone ?? ""}`, word) : null);

export const signatureBox = (box) => span(`signature ${box.tone}`, span("about", box.about), el("b", {}, box.name), box.lines.filter(Boolean).map((line) => span("said-line", line)));

export function jackpot({ hand, lamp, meter, boxes, tell }) {
  return el("div", { class: "evidence" },
    el("section", { class: "panel dealt" }, head(hand.title, "", null), hand.none ? el("p", {}, hand.none) : null, hand.cards.length ? span("dealt-cards", hand.cards.map(({ about, ...each }) => span("dealt-card", card(each, "large"), span("about", about)))) : null,
      hand.rows.map((row) => span("dealt-row", span("about", row.label), row.cards.map((each) => card(each, "plain")))),
      span("line-name", el("b", {}, hand.name), hand.pays ? span("about", hand.pays) : null, span("about", hand.seen))),
    el("div", { class: "evidence-middle" }, el("section", { class: "panel" }, head(lamp.title, lamp.word, lamp.tone), rows(lamp.rows)),
      el("section", { class: "panel" }, head(meter.title, meter.word, meter.tone), el("b", { class: "amount" }, meter.amount), rows(meter.rows))),
    el("div", { class: "evidence-boxes" }, boxes.map(signatureBox)),
    span("tell", tell));
}

export function opening({ steps, panel, boxes }) {
  const marks = { done: () => "✓", now: (at) => String(at), open: (at) => String(at) };
  return el("div", { class: "opening" },
    el("div", { class: "steps" }, steps.map((step, at) => span(`step ${step.state}`, span("mark", marks[step.state](at + 1)), span("words", step.text, span("about", step.note))))),
    el("section", { class: "panel" }, span("panel-head", el("b", {}, panel.title), panel.right ? span("about", panel.right) : null), rows(panel.rows)),
    el("div", { class: "opening-boxes" }, boxes.map(signatureBox)));
}

export function relief({ leaves, after, tiles }) {
  return el("div", { class: "relief" },
    el("section", { class: "panel" }, span("about", "At the table"), el("b", { class: "leaves" }, leaves.name), span("about", leaves.note), span("rule"), span("about", "After the change"), el("b", {}, after.name), span("about", after.note)),
    el("div", { class: "relief-list" }, tiles.map((entry) => keyNode(entry, "tile"))));
}
