// Before the day's first card: what has to be so, the meters to compare with their displays, and two signatures: the dealer
// who has signed in and the floorperson who opens.

import { amber, fill, key, well } from "../core/keys.js";
import { money } from "../core/money.js";
import { offer, say } from "../core/offers.js";
import { dayName } from "../core/visits.js";
import { gameName, plural } from "../core/text.js";
import { meterName } from "./meters.js";

const METERS = 5;

export const isDue = (screen) => screen.stage === "closed" && screen.mode !== "inspection" && screen.signed_in !== null && screen.stops.length === 0 && Boolean(offer(screen, "open"));

export const open = () => ({ from: 0 });

export function view(screen, state, local) {
  const { meters } = screen;
  const shown = meters.slice(state.from, state.from + METERS);
  const steps = [
    { state: "done", text: "Inspection", note: screen.day.inspected ? "passed today" : "not asked for here" },
    { state: "now", text: meters.length ? "Meters read" : "Table opened", note: "two sign" },
    { state: "open", text: "Cards inspected", note: "dealer, then floor" }, { state: "open", text: "Shuffle, cut, load", note: "then bets open" },
  ];
  const rows = shown.map((meter) => [meterName(meter), money(meter.amount_cents), meter.balanced ? "ok" : "stop"]);
  const more = meters.length > METERS ? `${state.from + 1} to ${Math.min(state.from + METERS, meters.length)} of ${meters.length}` : plural(meters.length, "meter");
  return {
    prompt: { tone: "ink", situation: `Opening ${screen.table}.`, order: meters.length ? "Floor signs the readings." : "Floor signs the opening." },
    strip: local.refused || local.dropped || local.gone || local.saving ? undefined : { tone: null, cells: [{ text: `${screen.table} closed`, strong: true }, { text: dayName(screen.day.day) }, { text: gameName(screen.game) }, { text: `Dealer ${screen.signed_in}` }], end: { text: "✓ saved", tone: "ok" } },
    zone: { kind: "opening", steps, panel: { title: meters.length ? "Compare with the displays" : "No meters here", right: meters.length ? more : null, rows },
      boxes: [{ tone: "done", about: "✓ 1 Dealer", name: String(screen.signed_in), lines: ["signed in with PIN"] }, { tone: "now", about: "▸ 2 Floorperson", name: "PIN", lines: ["opens the table"] }] },
    slots: fill([key("B", "Differs", "call floor", { send: { do: "call-floor" } }, { pageKey: true }), meters.length > METERS ? key("C", "More", "meters", { page: { from: state.from + METERS < meters.length ? state.from + METERS : 0 } }, { pageKey: true }) : well("C"),
      amber("Sign", "person 2 of 2: PIN", say("open"), { icon: "badge" })]),
  };
}

export const step = (screen, state, act) => ({ state: { ...state, ...act } });
