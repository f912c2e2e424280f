// The players' display: from what the table tells its players to what is shown. Pure.
//
// It has amounts and nothing else: no card, no player's name, and the seat of a jackpot that is being verified only where
// the house has set so.

import { money } from "../core/money.js";
import { wagerName } from "../core/text.js";

// A wager with its meters is shown this long before the next one.
export const TURN_MS = 15_000;
// The digits run up to what the table tells within this time.
export const COUNT_MS = 4000;
// After this long without a word the amounts are not said to be current.
export const GONE_AFTER_MS = 10_000;
const BOXES = 3;

// The amount that is shown on the way from one to the next: it only counts up. A payout switches in one step.
export function counted(from, to, elapsed) {
  if (to <= from) return to;
  const part = Math.min(1, Math.max(0, elapsed / COUNT_MS));
  return from + Math.floor((to - from) * part);
}

// `$`, `14,262`, `.40`: the cents stand small.
export function figure(cents) {
  const [whole, rest] = money(cents).slice(1).split(".");
  return { whole, cents: `.${rest}` };
}

const METERS = { main: "", "must-hit": "Must hit" };
const meterName = (meter) => METERS[meter] ?? meter.charAt(0).toUpperCase() + meter.slice(1);

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = (number) => String(number).padStart(2, "0");
// `Wed 13 May, 23:41`, by the clock of the display's own machine.
export function when(ms) {
  if (ms === null || ms === undefined) return null;
  const at = new Date(ms);
  return `${DAYS[at.getDay()]} ${at.getDate()} ${MONTHS[at.getMonth()]}, ${two(at.getHours())}:${two(at.getMinutes())}`;
}

// One page for each wager with meters; a table without any shows what it pays.
export function pages(told) {
  const wagers = [...new Set(told.meters.map((meter) => meter.wager))];
  return wagers.length ? wagers : [null];
}

// `turn`: which of the pages is up.
export function view(told, turn = 0) {
  const all = pages(told);
  const wager = all[turn % all.length];
  const foot = { limits: told.limits, last: last(told, wager) };
  if (wager === null) return { kind: "posting", title: told.title, about: "At this table", statements: told.statements.slice(0, 6), foot };
  const meters = told.meters.filter((meter) => meter.wager === wager).sort((one, other) => other.amount_cents - one.amount_cents);
  const [first] = meters;
  const pending = told.pending.find((each) => each.wager === wager && each.meter === first.meter) ?? told.pending.find((each) => each.wager === wager);
  const named = meterName(first.meter);
  return {
    kind: pending ? "pending" : "meter", title: wagerName(wager), about: named && meters.length > 1 ? `${named} progressive jackpot` : "Progressive jackpot",
    key: `${first.wager} ${first.meter}`, cents: pending ? pending.amount_cents : first.amount_cents,
    verified: pending ? `being verified at ${pending.seat ? `seat ${pending.seat}` : "this table"}` : null,
    next: pending ? money(first.restart_cents) : null,
    boxes: boxes(first, meters), foot,
  };
}

// The lines that pay a part of the meters or a fixed amount, best first; with several meters the meters themselves.
function boxes(first, meters) {
  if (meters.length > 1) return meters.slice(0, BOXES).map((meter) => ({ about: `${meterName(meter.meter) || "Jackpot"} meter`, figure: money(meter.amount_cents), note: meter.must_hit_cents ? `hits by ${money(meter.must_hit_cents)}` : "progressive" }));
  return first.lines.slice(0, BOXES).map((line) => ({ about: line.words, figure: line.percent === 100 ? "100 %" : line.amount_cents === null ? line.figure : money(line.amount_cents), note: line.percent === null ? "fixed" : line.percent === 100 ? "of the meter" : `${line.percent} % of the meter, now` }));
}

function last(told, wager) {
  const hit = told.last.find((each) => wager === null || each.wager === wager);
  return hit ? { amount: money(hit.amount_cents), when: when(hit.at_ms) } : null;
}
