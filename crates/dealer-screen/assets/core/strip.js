// The strip: table, round, shoe, saved; or the refusal, or the alert; and in a visit the table in small.

import { total } from "./cards.js";
import { openLine, totals } from "./lines.js";
import { gameName, plural, title } from "./text.js";

const saved = (local) => (local.gone ? { text: "✕ not current", tone: "bad" } : local.saving ? { text: "saving …", tone: "bad" } : { text: "✓ saved", tone: "ok" });

export function strip(screen, local) {
  const end = saved(local);
  if (local.gone) return { tone: "stop", cells: [strong("✕ NO ANSWER FROM THE TABLE"), { text: "What is shown is not current" }], end };
  if (local.saving) return { tone: "act", cells: [strong("… SAVING"), { text: "Lock-out still works" }], end: { text: "not current" } };
  if (local.dropped) return { tone: "act", cells: [strong("! Tap not taken"), { text: local.dropped }], end };
  if (local.refused) return { tone: "act", cells: [strong(`! ${sentence(local.refused.reason)}`), { text: local.refused.clause }], end };
  const alert = screen.alerts.find((each) => each.acknowledged_by === null);
  if (alert) return { tone: alert.severity === "stop" ? "stop" : "act", cells: [strong(`! ${sentence(alert.text)}`), { text: alert.source }], end: { text: "Floor" } };
  const stop = screen.stops[0];
  if (stop && screen.stage !== "wagering") return { tone: "act", cells: [strong(`! No next round: ${stop.reason}`), { text: stop.source }], end };
  return { tone: null, cells: [strong(name(screen)), { text: `Round ${screen.round}` }, ...details(screen, local)], end };
}

const strong = (text) => ({ text, strong: true });
const name = (screen) => `${gameName(screen.game)} · ${screen.table}`;
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// So long before the gaming day turns the strip says so.
const TURN_SOON = 60;

// Minutes until the gaming day turns, by the clock on the wall.
export function untilTurn({ settings, minute }) {
  const turns = settings?.day_starts_minute;
  if (turns === undefined || turns === null || minute === undefined || minute === null) return null;
  return (turns - minute + 1440) % 1440 || 1440;
}

function details(screen, local) {
  if (openLine(screen) && screen.stage === "settlement") return totals(screen).map((text) => ({ text }));
  const cells = [];
  if (screen.shoe_left !== undefined && screen.shoe_left !== null) cells.push(`Shoe ${screen.shoe_left} left`);
  cells.push(screen.cover_seen ? "Cover card out" : "Cover ahead");
  if (screen.tracking === "procedure") cells.push("Steps only");
  if (screen.stage === "insurance") cells.push("Insurance 2 to 1");
  if (screen.decks_change_minutes !== undefined && screen.decks_change_minutes !== null) cells.push(`Decks: ${hours(screen.decks_change_minutes)} left`);
  const turn = untilTurn(local);
  if (turn !== null && turn <= TURN_SOON) cells.push(`Day turns in ${turn} min`);
  cells.push(screen.signed_in === null ? "No dealer" : `Dealer ${screen.signed_in}`);
  return cells.map((text) => ({ text }));
}

export const hours = (minutes) => (minutes >= 120 ? plural(Math.floor(minutes / 60), "h", "h") : `${minutes} min`);

// What the table waits for that only the dealer can do, in a few words.
function waits(screen) {
  if (screen.signed_in === null || ["closed", "preparing", "wagering"].includes(screen.stage) || screen.mode !== "dealing" || screen.prompt.waits_for) return null;
  const seat = screen.seats.find((each) => each.hands.some((hand) => hand.turn));
  if (screen.stage === "decisions" && seat) return `seat ${seat.seat} decides`;
  return openLine(screen) ? "a line is to be settled" : screen.prompt.text.replace(/\.$/, "").replace(/^./, (first) => first.toLowerCase());
}

// For pages that stand in the table's place: `1 19  2 21  3 ✕  4 11  …  D 9 + sealed`.
export function tableInSmall(screen, local) {
  const cells = screen.seats.filter((seat) => seat.in_play).map((seat) => {
    const hand = seat.hands.find((each) => each.turn) ?? seat.hands[0];
    const sign = !hand || hand.cards.length === 0 ? "●" : hand.state === "bust" ? "✕" : hand.state === "blackjack" ? "★" : total(hand) || "?";
    return { text: `${seat.seat} ${sign}`, tone: seat.hands.some((each) => each.turn) ? "act" : null };
  });
  const up = screen.dealer.cards.map((card) => (card[0] === "T" ? "10" : card[0])).join(" ");
  if (up) cells.push({ text: `D ${screen.dealer.total ?? `${up}${screen.dealer.hole === "sealed" ? " + sealed" : ""}`}` });
  const wait = local.visit && waits(screen);
  if (wait) return { tone: "act", cells: [strong(`Table waits: ${wait}`), { text: screen.table }, { text: `Round ${screen.round}` }], end: saved(local) };
  return { tone: null, cells: [strong(screen.table), { text: `Round ${screen.round}` }, ...cells, ...(cells.length ? [] : [{ text: title(screen.stage) }])], end: saved(local) };
}
