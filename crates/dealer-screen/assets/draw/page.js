// Puts a view on the page. Each part is drawn again only when it differs, so that a key that is being held stays.

import { clauseId } from "../core/text.js";
import { chipValue } from "../core/money.js";
import { closed, el, icon, keyNode, span, touchable } from "./dom.js";
import { zoneNode } from "./zones.js";

const byId = (id) => document.getElementById(id);
const drawn = {};

function part(id, content, make) {
  const key = JSON.stringify(content);
  if (drawn[id] === key) return;
  drawn[id] = key;
  byId(id).replaceChildren(...[make()].flat());
}

export function paint(view, local) {
  byId("kiosk").classList.toggle("dim", Boolean(view.dim));
  byId("zone").inert = Boolean(view.dim);
  byId("kiosk").classList.toggle("mirror", Boolean(local.settings.mirror));
  byId("prompt").className = view.prompt.tone ?? "act";
  part("prompt", view.prompt, () => prompt(view.prompt));
  byId("strip").className = view.strip.tone ?? "";
  part("strip", view.strip, () => strip(view.strip));
  const chips = local.settings.chips.map((chip) => ({ ...chip, value: chipValue(chip.cents) }));
  byId("zone").dataset.page = view.page ?? view.zone.kind;
  part("zone", view.zone, () => zoneNode(view.zone, chips));
  part("record-sheet", view.sheet ?? null, () => sheet(view.sheet));
  byId("why").hidden = !view.why;
  if (view.why) part("why", view.why, () => why(view.why));
  part("actions", [view.tools, view.slots, local.settings.number_pad], () => [...view.tools.map(tool), ...fillTools(view.tools), ...view.slots.map((slot) => slotNode(slot, local.settings.number_pad))]);
}

// What is printed, as the table writes it: parsed, never run, and shown on paper alone.
const sheet = (markup) => (markup ? [...new DOMParser().parseFromString(markup, "text/html").body.children] : []);

function prompt(view) {
  const key = keyNode({ label: view.why.label, note: view.why.note, act: view.why.act, chosen: view.why.chosen, free: true }, "why-key");
  return [el("div", { id: "order", "aria-live": "polite" }, el("p", { id: "situation" }, view.situation), el("h1", { id: "text" }, view.order), view.paraphrase ? el("p", { id: "paraphrase" }, view.paraphrase) : null), key];
}

const cell = (each) => span(`cell ${each.tone ?? ""}`, each.strong ? el("b", {}, each.text) : each.text);
const strip = (view) => [span("cells", view.cells.map(cell)), span(`end ${view.end.tone ?? ""}`, view.end.text)];

function tool(each) {
  const node = el(each.act ? "button" : "span", { type: each.act ? "button" : null, ...(each.act ? {} : closed), class: `tool span-${each.span ?? 1}${each.act ? "" : " well"}${each.tone ? ` tone-${each.tone}` : ""}`, "data-tool": each.id }, icon(each.icon), span("label", each.label));
  return each.act ? touchable(node, { act: each.act, kind: "free" }) : node;
}

function fillTools(tools) {
  const used = tools.reduce((all, each) => all + (each.span ?? 1), 0);
  return Array.from({ length: 3 - used }, () => span("tool well"));
}

// With a number pad a key shows its digit: 1 to 5 from E to A, Enter for amber.
function hint(slot) {
  const said = slot.id === "amber" ? "⏎" : String(6 - (slot.at + slot.span - 1));
  return span("hint", said);
}

function slotNode(slot, hints) {
  const at = `at-${slot.at} span-${slot.span}`;
  if (slot.kind === "wait") return el("span", { class: `slot wait ${at}`, "data-id": "wait" }, span("text", span("label", icon(slot.icon), el("b", {}, slot.label)), el("small", {}, slot.note)));
  if (slot.kind === "well") return el("span", { ...(slot.label ? closed : {}), class: `slot well ${at}` }, span("text", slot.label ? span("label", slot.label) : null, slot.note ? el("small", {}, slot.note) : null));
  const node = keyNode({ ...slot, noteNarrow: (slot.note?.length ?? 0) > 10 && slot.span === 1 }, "slot");
  node.classList.add(...at.split(" "));
  if (hints && (slot.act || slot.hold)) node.append(hint(slot));
  if (slot.label.length > (slot.span === 2 ? (slot.icon ? 12 : 13) : 8)) node.classList.add("long");
  return node;
}

function why(view) {
  return [span("about", view.source.replace(clauseId(view.source), ""), el("b", {}, view.clause)), el("p", {}, view.text),
    view.closed.length ? span("about", "Why not the others?") : null,
    ...view.closed.map((each) => el("p", { class: "closed" }, el("b", {}, `${each.label}: `), each.reason, span("about", ` ${clauseId(each.clause)}`))),
    span("foot", span("about", "Our words, not the legal text."), keyNode({ label: "Back", act: { why: false } }, "tile"))];
}
