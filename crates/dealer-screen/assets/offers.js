// From what the table offers to what can be tapped. Every offer has a place: the amber button, a slot, or a list.

import { title } from "./dom.js";

// Said only by somebody in charge, with their PIN. The table checks it; here it saves a detour.
const IN_CHARGE = new Set(["floor approve", "manager approve", "floor void", "floor reshuffle", "floor recut", "correct",
  "permit", "reader-repaired"]);

export const needsPerson = (words) =>
  IN_CHARGE.has(words) || words === "inspect floor" || [...IN_CHARGE].some((word) => words.startsWith(`${word} `));

// Words that the table has from elsewhere, or that have a tool of their own.
const HIDDEN = new Set(["at", "undo"]);
const PROBLEM = new Set(["irregularity", "late", "correct", "floor void", "reader-repaired"]);
const FLOOR = new Set(["floor approve", "manager approve", "floor reshuffle", "floor recut", "permit", "close", "dealer-change"]);

const LABELS = {
  lock: ["No more bets", "lock out"],
  card: ["Card", "tap it in"],
  "card ?": ["Face-down card", "drawn"],
  burn: ["Burnt", "the card drawn"],
  cover: ["Cover card", "appeared"],
  reveal: ["Hole card", "turned up"],
  next: ["Done", "next step"],
  paid: ["Paid", "this line"],
  collected: ["Taken", "this line"],
  settled: ["All lines", "done"],
  "insurance-closed": ["Insurance", "closed"],
  "even-money": ["Even money", null],
  player: ["Same player", "several boxes"],
  place: ["Cover card in", null],
  "cut refuse": ["Declines", "the cut"],
  load: ["Loaded", "ready to deal"],
  up: ["Up card", null],
  "reader-repaired": ["Reader repaired", null],
  "dealer-change": ["New dealer", null],
  "floor approve": ["Floor approves", null],
  "manager approve": ["Second approves", null],
  "floor void": ["End the round", "all wagers back"],
  "floor reshuffle": ["Reshuffle", "floor"],
  "floor recut": ["Cut again", "floor"],
};

export function label(offer) {
  const [text, note] = LABELS[offer.word] ?? [title(offer.word), null];
  const wager = offer.wager && offer.wager !== "main" ? title(offer.wager) : null;
  const only = offer.seats?.length === 1 ? `seat ${offer.seats[0]}` : null;
  const values = offer.values?.length === 1 ? offer.values[0] : null;
  return [text, [only, wager, values].filter(Boolean).join(" · ") || note];
}

// Which offer the amber button is, the first that is there.
const MAIN = ["floor approve", "manager approve", "paid", "collected", "lock", "reveal", "turn", "up", "peek", "amount", "wheel", "draw", "burn", "card",
  "card ?", "accept", "next", "open", "decks", "inspect", "spread", "wash", "shuffle", "cut", "place", "load",
  "insurance-closed", "settled"];
// What goes into the slots besides, in this order.
const SIDE = ["settled", "next", "draw", "insure", "even-money", "insurance-closed", "refuse", "card", "card ?", "cover", "burn", "cut refuse",
  "wager", "blackjack", "surrender", "claim", "player", "idle", "seat"];
// Belong to the table's day; while bets are open they are for the list.
const PREPARING = new Set(["open", "decks", "inspect", "spread", "wash", "shuffle", "cut", "place", "load"]);
const DECISIONS = [["surrender", "rescue"], ["split", "switch"], ["double", "redouble"], ["hit"], ["stand"]];

export function plan(screen) {
  const answered = (offer) => offer.word === "peek" && screen.prompt.waits_for === "reader";
  const offers = expand(screen).filter((offer) => !HIDDEN.has(offer.word) && !answered(offer));
  const has = (word) => offers.find((offer) => offer.word === word && !offer.seats) ?? offers.find((offer) => offer.word === word);
  const undo = screen.prompt.offers.some((offer) => offer.word === "undo");
  const shoe = screen.devices.some((device) => device.part.startsWith("shoe") && device.present);
  // While a line is to be confirmed, that is the order; deciding goes on from the list.
  const settles = has("paid") || has("collected");
  const decides = screen.stage === "decisions" && has("stand") && !settles;
  const used = new Set();
  let slots;
  let main = null;
  if (decides) {
    slots = DECISIONS.map((words) => words.map((word) => decision(has(word))).find(Boolean) ?? { ghost: title(words[0]) });
    // Without a reading shoe the card itself says that there was a hit.
    const drawn = has("card");
    if (drawn && !shoe) slots[3] = { ...drawn, text: "Hit", note: "card" };
  } else {
    if (screen.prompt.waits_for) main = { wait: screen.prompt.waits_for };
    else if (screen.prompt.wanted && has(screen.prompt.wanted)) main = has(screen.prompt.wanted);
    else main = MAIN.filter((word) => screen.stage !== "wagering" || !PREPARING.has(word)).map(has).find(Boolean) ?? null;
    slots = [];
    for (const word of SIDE) {
      for (const offer of offers.filter((each) => each.word === word)) {
        // Of several with the same word the first is enough here; seats and the list have the others.
        if (slots.length < 3 && offer !== main && !slots.some((slot) => slot.word === word)) slots.push(offer);
      }
    }
  }
  for (const offer of [main, ...slots]) used.add(offer);
  const rest = offers.filter((offer) => !used.has(offer));
  return {
    main,
    slots,
    undo,
    floor: rest.filter((offer) => FLOOR.has(offer.word)),
    problem: rest.filter((offer) => PROBLEM.has(offer.word)),
    more: rest.filter((offer) => !FLOOR.has(offer.word) && !PROBLEM.has(offer.word)),
  };
}

// A surrender that names a seat belongs to the seat, not to the hand that decides.
const decision = (offer) => (offer && !offer.seats ? offer : null);

// One offer a button: a card that may lie either way is two.
function expand(screen) {
  const list = [];
  for (const offer of screen.prompt.offers) {
    if (offer.word === "card") {
      if (offer.face !== "down") list.push({ ...offer, face: "up" });
      if (offer.face !== "up") list.push({ word: "card ?", sides: offer.sides });
    } else if (offer.word === "double" && offer.min_cents !== undefined && offer.min_cents < offer.max_cents) {
      list.push({ word: "double" }, { ...offer, text: "Double for less", amount_optional: false });
    } else if (offer.word === "double") {
      list.push({ word: "double" });
    } else if (offer.word === "reveal" && screen.prompt.shoe_knows) {
      list.push({ word: "reveal", action: { do: "reveal" } });
    } else if (offer.word === "turn" && screen.prompt.shoe_knows) {
      for (const seat of offer.seats) list.push({ word: "turn", seats: [seat], action: { do: "turn-up", seat } });
    } else {
      list.push(offer);
    }
  }
  return list;
}

// What a tap on `offer` rests on: the offers that are like it, with their seats only where one is still to be chosen.
export function sameOffers(screen, offer) {
  const same = (each) => each.word === offer.word && each.wager === offer.wager && each.text === offer.text
    && (offer.seats ?? []).every((seat) => each.seats?.includes(seat));
  const found = expand(screen).filter(same);
  return offer.seats?.length === 1 ? found.map((each) => ({ ...each, seats: offer.seats })) : found;
}

// What can be said of one seat.
export function ofSeat(screen, seat) {
  return expand(screen).filter((offer) => offer.seats?.includes(seat) && offer.word !== "player")
    .map((offer) => (offer.action ? offer : { ...offer, seats: [seat] }));
}
