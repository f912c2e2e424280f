// The end of the day: what has to be so before the table closes, the meters to compare with their displays, then a hold and
// a signature. No other key on any page is called Close.

import { lastSettled } from "../core/film.js";
import { wide, well } from "../core/keys.js";
import { money } from "../core/money.js";
import { offer, say } from "../core/offers.js";
import { may } from "../core/signing.js";
import { floorPages, ofVisit, printTool } from "../core/visits.js";
import { plural } from "../core/text.js";
import { meterName } from "./meters.js";

export const open = () => ({ from: 0 });

const METERS = 5;

export function view(screen, state, local) {
  const { day, meters } = screen;
  const unseen = screen.alerts.filter((alert) => alert.acknowledged_by === null).length;
  const wrong = meters.filter((meter) => !meter.balanced).length;
  const closes = may(local.visit, "close") && offer(screen, "close");
  const shown = meters.slice(state.from, state.from + METERS);
  return ofVisit(screen, local, "closing", meters.length ? "Read the meters, then sign." : "Look, then sign.", {
    zone: { kind: "sheet", panels: [
      { title: "Before the table closes", rows: [["Last round", lastSettled(screen) ? `${lastSettled(screen)} settled` : "none", "ok"], ["Rounds today", String(day.rounds)], ["Alerts", unseen ? `${unseen} open` : "none open", unseen ? "stop" : "ok"],
        ["Meters", wrong ? plural(wrong, "off balance", "off balance") : "in balance", wrong ? "stop" : "ok"], ["Paid today", money(day.paid_cents)], ["Taken today", money(day.collected_cents)]] },
      { title: meters.length ? "Compare with the display" : "No meters here", right: meters.length > METERS ? `${state.from + 1} to ${Math.min(state.from + METERS, meters.length)} of ${meters.length}` : null, rows: shown.map((meter) => [meterName(meter), money(meter.amount_cents), meter.balanced ? null : "stop"]) },
    ] },
    tools: [floorPages, printTool],
    slots: [wide("A", "Stay open", "nothing is done", { open: "floor" }, { pageKey: true }), meters.length > METERS ? { ...wide("C", "More", "meters", { page: { from: state.from + METERS < meters.length ? state.from + METERS : 0 } }, { pageKey: true }), span: 1 } : well("C"),
      closes ? wide("D", "Close table", "hold 1 s, then PIN", null, { hold: say("close"), ticks: true, id: "close" }) : well("D", 2, "Close table", "not now")],
  });
}

export const step = (screen, state, act) => ({ state: { ...state, ...act } });
