// The lines of settlement: what each says to do, on its seat and in the focus pane.

import { breakDown, money, rowMoney, shortMoney } from "./money.js";
import { lineName, plural, wagerName } from "./text.js";

// What the dealer's hands do with a line, and the chips that they move: a stake that stays lies on the felt already.
export function deed(line) {
  if (line.outcome === "won") return { sign: "▲", word: "PAY", tone: "ok", cents: line.pays_cents, done: "paid" };
  if (line.outcome === "lost" || line.outcome === "dead") return { sign: "▼", word: "TAKE", tone: "stop", cents: line.stake_cents, done: "taken" };
  const half = line.outcome === "surrendered" || line.outcome === "rescued";
  return { sign: "=", word: half ? "HALF" : "LEAVE", tone: "plain", cents: line.returned_cents, done: half ? "halved" : "left" };
}

// An amount, or where it is not known the odds.
export const amountOf = (line, cents, write) => (cents === null ? (line.outcome === "won" && line.odds ? line.odds : "chips") : write(cents));

export const openLine = (screen) => {
  const at = screen.lines.findIndex((line) => !line.confirmed);
  return at < 0 ? null : { at, line: screen.lines[at] };
};

export const linesOf = (screen, seat) => screen.lines.filter((line) => line.position === seat);

// The tag at the foot of a seat: its next open line, else the last one that is done.
export function tag(screen, seat) {
  const lines = linesOf(screen, seat);
  if (lines.length === 0) return null;
  const open = lines.find((line) => !line.confirmed);
  const line = open ?? lines.findLast((each) => each.wager === "main") ?? lines.at(-1);
  const { sign, word, tone, cents, done } = deed(line);
  const amount = amountOf(line, cents, shortMoney);
  if (!open) return { done: true, word: `✓ ${done}`, amount, tone: "done" };
  return { word: `${sign} ${word}`, amount, tone: openLine(screen).line === line ? "now" : tone, side: line.wager === "main" ? null : wagerName(line.wager) };
}

// A split hand's row: sign and amount of its main line.
export function row(screen, seat, hand) {
  const line = linesOf(screen, seat).find((each) => each.wager === "main" && each.hand === hand);
  if (!line) return null;
  const { sign, tone, cents } = deed(line);
  const now = openLine(screen)?.line === line;
  return { sign: line.confirmed ? "✓" : sign, amount: amountOf(line, cents, rowMoney), tone: line.confirmed ? "done" : now ? "now" : tone };
}

// `17 against 19`, or what the paytable calls the line.
function reason(screen, line) {
  if (line.wager !== "main") return `${wagerName(line.wager)}: ${lineName(line.line)}`;
  const hand = screen.seats.find((seat) => seat.seat === line.position)?.hands[line.hand - 1];
  if (hand?.state === "bust") return `bust with ${hand.total}`;
  const dealer = screen.dealer.total;
  const plain = ["won", "lost", "tied"].includes(line.line) || line.line === line.outcome;
  if (plain && hand?.total && dealer) return dealer > 21 ? `${hand.total}, dealer bust` : `${hand.total} against ${dealer}`;
  return line.line;
}

// The line that is due, for the focus pane.
export function lineFocus(screen, chipSet, next = null) {
  const open = openLine(screen);
  if (!open) return null;
  const { line, at } = open;
  const { sign, word, tone, cents } = deed(line);
  const { chips, left } = cents === null ? { chips: [], left: 0 } : breakDown(cents, chipSet);
  const stays = line.outcome === "won" && line.returned_cents ? `stake ${shortMoney(line.returned_cents)} stays` : null;
  const several = (screen.seats.find((seat) => seat.seat === line.position)?.hands.length ?? 1) > 1;
  return {
    kind: "line", tone: "turn",
    about: `Seat ${line.position}${several ? `, hand ${line.hand}` : ""} · ${reason(screen, line)}`,
    place: screen.stage === "settlement" ? `line ${at + 1} of ${screen.lines.length}` : next,
    sign, word, wordTone: tone,
    amount: amountOf(line, cents, money),
    chips: word === "LEAVE" ? [] : chips,
    coins: left > 0 && word !== "LEAVE" ? money(left) : null,
    beside: amountOf(line, cents, money).length > 10 && !line.approval ? null : line.approval ? `needs ${line.approval}` : stays ?? (line.odds && cents !== null && line.outcome === "won" ? line.odds : word === "TAKE" ? "to the rack" : null),
  };
}

// Running totals for the strip: what is still to be taken and paid.
export function totals(screen) {
  const open = screen.lines.filter((line) => !line.confirmed).map(deed);
  const of = (word, label) => {
    const lines = open.filter((each) => each.word === word);
    if (lines.length === 0) return `${label}: none`;
    const known = lines.every((each) => each.cents !== null);
    const sum = lines.reduce((all, each) => all + (each.cents ?? 0), 0);
    return known ? `${label}: ${plural(lines.length, "line")}, ${shortMoney(sum)}` : `${label}: ${plural(lines.length, "line")}`;
  };
  const left = open.filter((each) => each.word === "LEAVE" || each.word === "HALF").length;
  return [of("TAKE", "To take"), of("PAY", "To pay"), ...(left ? [`To leave: ${left}`] : [])];
}

// All lines by one hold: at the final settlement, and for first-card wagers and lost insurance, which hold up every further
// card (7.F, 8.F); never past a line over the limit or one that somebody approves, nor in the middle of the decisions.
export function allLines(screen, limitCents) {
  const open = screen.lines.filter((line) => !line.confirmed);
  if (open.length < 2 || (screen.stage !== "settlement" && open[0].wager === "main")) return null;
  const over = (line) => [line.pays_cents, line.outcome === "won" ? null : line.stake_cents].some((cents) => cents !== null && cents !== undefined && cents > limitCents);
  const barred = open.some((line) => line.approval || over(line));
  return barred ? null : open.length;
}
