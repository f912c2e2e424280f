// The gaming day so far. What nobody counts is not shown.

import { money, shortMoney } from "../core/money.js";
import { hours, untilTurn } from "../core/strip.js";
import { dayName, floorPages, ofVisit, printTool } from "../core/visits.js";
import { plural } from "../core/text.js";
import { meterName } from "./meters.js";

export const open = () => ({});

export const wants = () => ["/api/v1/day"];

// How long the decks and the day still last.
function lasts(screen, local) {
  const turn = untilTurn(local);
  const decks = screen.decks_change_minutes ?? null;
  const said = [decks === null ? null : `Decks: ${hours(decks)} left`, turn === null ? null : `day turns in ${hours(turn)}`].filter(Boolean).join(" · ") || (screen.signed_in === null ? "No dealer" : `Dealer ${screen.signed_in}`);
  return said.charAt(0).toUpperCase() + said.slice(1);
}

export function view(screen, state, local) {
  const day = local.read["/api/v1/day"] ?? screen.day;
  const unseen = screen.alerts.filter((alert) => alert.acknowledged_by === null).length;
  const jackpots = day.jackpots ? `${day.jackpots} · ${shortMoney(day.jackpot_cents)}` : "none";
  return ofVisit(screen, local, `day, ${dayName(day.day)}`, `${plural(day.rounds, "round")}.`, {
    zone: { kind: "sheet", panels: [
      { title: "At the table", rows: [["Rounds", String(day.rounds)], ["Voided rounds", String(day.voids)], ["Irregularities", String(day.irregularities)], ["Corrections", String(day.corrections)], ["Late wagers", String(day.late_wagers)], ["Alerts open", unseen ? String(unseen) : "none", unseen ? "stop" : null]] },
      { title: "Money, as far as it was told", rows: [["Paid", money(day.paid_cents)], ["Taken", money(day.collected_cents)], ["Jackpots", jackpots], ...screen.meters.slice(0, 3).map((meter) => [meterName(meter), money(meter.amount_cents), meter.balanced ? "ok" : "stop"])] },
    ], foot: { left: day.inspected ? "✓ Inspection passed" : "✕ Inspection not passed", tone: day.inspected ? "ok" : "stop", right: lasts(screen, local) } },
    tools: [floorPages, printTool],
  });
}

export const step = (screen, state) => ({ state });
