// Each seat as it stands: number, lamp, stake, hand, one word, and what a tap or a hold on it does.

import { face, layOut, rowTotal, total } from "./cards.js";
import { takeBack } from "./insured.js";
import { deed, linesOf, openLine, row, tag } from "./lines.js";
import { shortMoney } from "./money.js";
import { offerAt, say, sayAll } from "./offers.js";
import { handWord, wagerName } from "./text.js";

const LAMPS = { invited: ["ring", "invited"], placed: ["dot", "placed"], accepted: ["disc", "lit"], late: ["triangle", "late"] };
const NARROW_FROM = 8;

const written = (text) => ({ text, narrow: text.length >= NARROW_FROM });

// The most urgent lamp of the seat's spots.
function lamp(seat) {
  const lit = ["late", "accepted", "placed", "invited"].find((state) => seat.lamps.some((each) => each.state === state));
  return lit ? { shape: LAMPS[lit][0], word: LAMPS[lit][1], tone: lit } : null;
}

// What lies beside the main wager, in a few signs.
function beside(seat) {
  const open = seat.side.filter((side) => side.open);
  if (open.length === 0) return null;
  return open.length === 1 ? `+${wagerName(open[0].wager)}` : `+${open.length} side`;
}

export function seatViews(screen, local) {
  const betting = screen.stage === "wagering" && !screen.locked;
  const middle = (screen.seats.length + 1) / 2;
  return screen.seats.map((seat) => {
    const far = Math.round((1 - ((Math.abs(seat.seat - middle) / Math.max(middle - 1, 1)) ** 2)) * 11) / 10;
    const common = { seat: seat.seat, lift: far, lamp: lamp(seat) };
    if (betting) return { ...common, ...wagering(screen, seat, local) };
    if (!seat.in_play) return { ...common, state: "empty", body: { kind: "text", text: "no bet" } };
    return { ...common, ...inPlay(screen, seat, local) };
  });
}

// Bets are open: a tap puts a box in or out of play, a hold opens its amounts.
function wagering(screen, seat, local) {
  const pending = local.pending?.[seat.seat];
  const isIn = pending ? pending === "in" : seat.in_play;
  const last = screen.last_boxes?.find((each) => each.seat === seat.seat);
  const sensor = screen.seats.some((each) => each.lamps.some((lampOf) => lampOf.wager === "main"));
  const act = { toggle: { seat: seat.seat, to: isIn ? "out" : "in" } };
  const hold = { open: "amounts", seat: seat.seat };
  if (!isIn && !last) return { state: "empty", body: { kind: "text", text: "no bet" }, act, hold, pending: Boolean(pending) };
  if (!isIn) return { state: "open", body: { kind: "ghost-chip", text: "last time" }, foot: { text: "tap", tone: "past" }, act, hold, pending: Boolean(pending) };
  const stake = seat.main_cents === null ? "in play" : shortMoney(seat.main_cents);
  const sides = beside(seat);
  return {
    state: "in", pending: Boolean(pending), act, hold,
    body: { kind: "chip", cents: seat.main_cents, text: written(stake) },
    foot: sides ? { ...written(sides), tone: "plain" } : { text: sensor ? "sensor" : "tap: out", tone: "past" },
  };
}

function inPlay(screen, seat, local) {
  // While a line is due, that is now, and no hand's turn.
  const due = openLine(screen) && confirmable(screen);
  const now = due && openLine(screen).line.position === seat.seat;
  const turn = !due && seat.hands.some((hand) => hand.turn);
  const lines = linesOf(screen, seat.seat);
  const settling = lines.some((line) => !line.confirmed) || (lines.length > 0 && screen.stage === "settlement");
  const look = { open: "look", seat: seat.seat };
  const done = settling ? lines.every((line) => line.confirmed) : seat.hands.length > 0 && ["decisions", "reveal", "dealer-draws"].includes(screen.stage)
    && seat.hands.every((hand) => !hand.turn && hand.state !== "open" && hand.state !== "blackjack");
  const state = now ? "now" : turn ? "turn" : done ? "done" : "plain";
  const common = { state, act: look, word: now ? "NOW" : turn ? "TURN" : null, looked: local.look === seat.seat };
  const insured = insurance(screen, seat, local);
  if (seat.hands.filter((hand) => hand.cards.length).length > 1) return { ...common, ...split(screen, seat, settling), ...(insured ?? {}) };
  const hand = seat.hands[0];
  const over = lines.length > 0 && lines.every((line) => line.confirmed) && lines.some((line) => line.wager === "main");
  const stake = over ? { text: `✓ ${deed(lines.find((line) => line.wager === "main")).done}`, quiet: true } : stakeOf(seat, hand);
  if (!hand || hand.cards.length === 0) {
    return { ...common, state: "in", stake, body: { kind: "chip", cents: seat.main_cents, text: { text: "" } }, foot: beside(seat) ? written(beside(seat)) : null };
  }
  const body = { kind: "hand", ...layOut(hand.cards, hand.doubles), total: total(hand), bust: hand.state === "bust" };
  const mark = settling ? tag(screen, seat.seat) : null;
  if (mark) return { ...common, body, tag: mark, stake: null };
  return { ...common, body, stake, foot: wordOf(hand, seat), ...(insured ?? {}) };
}

const confirmable = (screen) => screen.prompt.offers.some((offer) => offer.word === "paid" || offer.word === "collected");

function stakeOf(seat, hand) {
  const stake = written(seat.main_cents === null ? "chips" : shortMoney(seat.main_cents));
  const doubled = hand?.doubles && hand.stake_cents !== null && seat.main_cents !== null ? `+${(hand.stake_cents - seat.main_cents) / 100}` : null;
  return { ...stake, beside: doubled && doubled.length < 6 ? doubled : null };
}

function wordOf(hand, seat) {
  if (hand.state === "bust") return { text: "✕ bust", tone: "stop" };
  if (hand.state === "blackjack") return { text: "★ blackjack", tone: "ok" };
  if (hand.state === "done") return { text: hand.doubles ? "doubled" : "stood", tone: "plain" };
  if (hand.state !== "open") return { text: handWord(hand.state), tone: "plain", narrow: handWord(hand.state).length > 10 };
  const sides = beside(seat);
  if (sides) return { ...written(sides), tone: "past" };
  if (hand.cards.length === 2 && hand.cards[0][0] === hand.cards[1][0] && hand.cards[0] !== "?") return { text: "pair", tone: "plain" };
  return { text: hand.soft ? "soft" : "", tone: "plain" };
}

// Four rows at most: total and the last three ranks; in settlement sign and amount.
function split(screen, seat, settling) {
  const one = seat.hands[0].stake_cents;
  const each = seat.hands.every((hand) => hand.stake_cents === one);
  const rows = seat.hands.slice(0, 4).map((hand, at) => {
    const line = settling ? row(screen, seat.seat, at + 1) : null;
    if (line) return { line: true, ...line, narrow: line.amount.length >= NARROW_FROM };
    return {
      total: rowTotal(hand), bust: hand.state === "bust", cards: hand.cards.slice(-3).map(face), doubled: hand.doubles > 0,
      state: hand.turn ? "now" : hand.state === "open" && hand.cards.length < 2 ? "waits" : "plain",
    };
  });
  return { stake: settling ? null : { ...written(each && one !== null ? shortMoney(one) : stakeOf(seat).text), beside: each && shortMoney(one).length < 5 ? "each" : null }, body: { kind: "split", rows } };
}

// Insurance: a tap takes half, a second tap takes it back, a hold opens the amount.
function insurance(screen, seat, local) {
  if (screen.stage !== "insurance") return null;
  const even = offerAt(screen, "even-money", seat.seat);
  const insure = offerAt(screen, "insure", seat.seat);
  if (seat.insured) {
    const back = takeBack(local.insured, screen, seat.seat);
    const text = seat.insurance_cents === null ? "insured" : `ins ${shortMoney(seat.insurance_cents)}`;
    return { state: "insured", foot: { ...written(text), tone: "insured" }, act: back ? sayAll(back) : { open: "look", seat: seat.seat } };
  }
  if (even) return { foot: { text: "even money?", tone: "ask", narrow: true }, act: say(`even-money ${seat.seat}`), hold: insure ? { open: "amounts", seat: seat.seat, wager: "insurance" } : null };
  if (!insure) return null;
  const half = insure.max_cents === undefined ? `insure ${seat.seat}` : `insure ${seat.seat} ${insure.max_cents / 100}`;
  return { foot: { text: "insure?", tone: "ask" }, act: say(half), hold: { open: "amounts", seat: seat.seat, wager: "insurance" } };
}
