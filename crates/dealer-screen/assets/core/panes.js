// The dealer's pane and the focus pane.

import { face, layOut, rankName, total } from "./cards.js";
import { lineFocus, openLine } from "./lines.js";
import { money, shortMoney } from "./money.js";
import { hasDevice } from "./offers.js";
import { handWord, hasTens, plural, wagerName } from "./text.js";

// Two places of one size until the reveal; no total before it.
export function dealerPane(screen) {
  const { cards, hole, total: sum, soft } = screen.dealer;
  if (cards.length === 0 && hole === "none") {
    return { cards: [], slots: 2, about: "Dealer", name: "No cards", note: screen.stage === "wagering" ? "lock first" : "" };
  }
  const steps = screen.tracking === "procedure";
  if (hole !== "revealed") {
    const lying = hole === "sealed" ? [...cards, "?"] : cards;
    const up = cards[0];
    return { cards: lying.map(face), slots: 2, about: steps ? "Dealer" : "Dealer shows", name: up ? rankName(up[0]) : "Sealed", note: hole === "sealed" ? "hole card sealed" : "" };
  }
  // The steps alone are followed: the hand is up, and nobody has named it.
  if (sum === null) return { cards: cards.map(face), slots: cards.length, about: "Dealer", name: "Hand is up", note: screen.stage === "settlement" ? "settle" : "draw to the rule" };
  const bust = sum > 21;
  const stands = screen.stage === "settlement" || screen.lines.some((line) => !line.confirmed);
  const { faces, small } = layOut(cards);
  return { cards: faces, small, slots: 2, about: bust ? "Dealer is bust" : stands ? "Dealer stands" : "Dealer has", total: String(sum), soft: soft && !stands ? "soft" : null, bust };
}

function handFocus(seat, at, tone) {
  const hand = seat.hands[at];
  const many = seat.hands.length > 1 ? `hand ${at + 1} of ${seat.hands.length}` : "hand";
  return {
    kind: "hand", tone, about: `Seat ${seat.seat}`, name: many, note: money(hand.stake_cents),
    ...layOut(hand.cards, hand.doubles), total: total(hand), bust: hand.state === "bust",
    word: hand.state !== "open" && !hand.turn ? handWord(hand.state === "done" ? "stood" : hand.state) : hand.total === null ? "face down" : hand.soft ? "soft" : "hard",
  };
}

export function focusPane(screen, local) {
  const looked = local.look && screen.seats.find((seat) => seat.seat === local.look);
  if (looked?.hands.some((hand) => hand.cards.length)) return lookFocus(screen, looked);
  const line = openLine(screen);
  if (line && screen.prompt.offers.some((offer) => ["paid", "collected", "floor approve", "manager approve", "next"].includes(offer.word))) {
    const turn = screen.seats.find((seat) => seat.hands.some((hand) => hand.turn));
    return lineFocus(screen, local.settings.chips, turn ? `next: seat ${turn.seat}` : null);
  }
  const seat = screen.seats.find((each) => each.hands.some((hand) => hand.turn));
  if (seat && screen.tracking !== "procedure") return handFocus(seat, seat.hands.findIndex((hand) => hand.turn), "turn");
  if (screen.stage === "insurance" || screen.prompt.waits_for === "reader") return readerFocus(screen);
  return meterFocus(screen);
}

// A seat that somebody wants to see, with the late word where one may be said.
function lookFocus(screen, seat) {
  const at = Math.max(0, seat.hands.findIndex((hand) => hand.turn));
  const later = screen.prompt.offers.find((offer) => offer.word === "seat" && offer.seats?.includes(seat.seat));
  return { ...handFocus(seat, at, "look"), key: later ? { label: `Now seat ${seat.seat}`, note: "others stood", act: { send: { do: "play", words: `seat ${seat.seat}` } } } : null };
}

function readerFocus(screen) {
  const insured = screen.seats.filter((seat) => seat.insured);
  const known = insured.every((seat) => seat.insurance_cents !== null);
  const sum = insured.reduce((all, seat) => all + seat.insurance_cents, 0);
  const up = screen.dealer.cards[0];
  return {
    kind: "reader", tone: "info", icon: "reader", about: "Card reader",
    name: hasDevice(screen, "reader") ? (up ? `Ready, set for ${up[0] === "A" ? "ace" : hasTens(screen) ? "ten" : "face"}` : "Ready") : "No reader here",
    note: screen.stage === "insurance" ? "insertion closes insurance" : "insert the hole card",
    beside: insured.length ? { about: "Insured", name: plural(insured.length, "seat"), note: known ? money(sum) : "chips" } : null,
  };
}

function meterFocus(screen) {
  const meter = screen.meters[0];
  const boxes = screen.seats.filter((seat) => seat.in_play);
  const lamps = (state) => screen.seats.flatMap((seat) => seat.lamps).filter((lamp) => lamp.state === state && lamp.wager !== "main").length;
  const known = boxes.length > 0 && boxes.every((seat) => seat.main_cents !== null);
  const sum = boxes.reduce((all, seat) => all + (seat.main_cents ?? 0), 0);
  return {
    kind: "meter", tone: null,
    about: meter ? `${wagerName(meter.wager)} meter` : "Today",
    amount: meter ? money(meter.amount_cents) : plural(screen.day.rounds, "round"),
    fault: meter && !meter.balanced ? "✕ does not balance" : null,
    beside: {
      name: boxes.length ? `${plural(boxes.length, "box", "boxes")} in play` : "No box yet",
      note: known ? shortMoney(sum) : null,
      lamps: [["dot", lamps("placed"), "placed"], ["ring", lamps("invited"), "invited"], ["disc", lamps("accepted"), "lit"]].filter(([, count]) => count > 0)
        .map(([shape, count, word]) => ({ shape, word: `${count} ${word}`, tone: word })),
    },
  };
}
