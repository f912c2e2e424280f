// The prompt bar: the situation in one line, the order in one line, on a large panel the clause in our words.

import { offers } from "./offers.js";
import { clauseId, plural } from "./text.js";

export const PARAPHRASE_MAX = 80;

export function orderOf(screen, local) {
  const { prompt } = screen;
  const said = { situation: prompt.situation, order: prompt.text, clause: prompt.clause, tone: toneOf(screen) };
  return { ...said, ...(own(screen, local) ?? {}), paraphrase: short(prompt.paraphrase) };
}

const short = (text) => (text && text.length <= PARAPHRASE_MAX ? text : null);

const toneOf = (screen) => (screen.mode === "faulted" || screen.stage === "reader-stopped" ? "stop" : screen.prompt.waits_for || screen.stage === "insurance" ? "info" : "act");

export const whyKey = (clause, chosen) => ({ label: "Why?", note: clauseId(clause), act: { why: true }, chosen });

// What the page knows better than the order: who is missing, and which boxes are told.
function own(screen, local) {
  if (screen.signed_in === null && screen.mode !== "inspection") return { situation: "No dealer has signed in.", order: "Sign in to deal.", tone: "act" };
  if (screen.mode === "faulted" && screen.stops[0] && screen.stage !== "wagering") return { tone: "stop" };
  if (screen.stage === "wagering") return wagering(screen, local);
  return null;
}

function wagering(screen, local) {
  if (screen.prompt.wanted) return null;
  if (screen.stops.length) return { tone: "stop" };
  if (!offers(screen, "wager")) return null;
  const boxes = screen.seats.filter((seat) => seat.in_play).length;
  if (boxes === 0) return { situation: "Bets are open.", order: screen.last_boxes?.length || !local.sensors ? "Tap the boxes in play." : "Chips onto the spots." };
  const same = screen.last_boxes?.length === boxes && screen.last_boxes.every((box) => screen.seats.find((seat) => seat.seat === box.seat)?.in_play);
  return { situation: `${plural(boxes, "box", "boxes")} in play${same ? ", as last round" : ""}.`, order: "Lock before the first card." };
}
