// The action bar: three tools and the slots A to E. The amber button is the next step that the table accepts, in D and E;
// where there is none, the place says which device acts or who has to come.

import { decisions } from "./decisions.js";
import { amber, fill, key, wait, well, wide } from "./keys.js";
import { allLines, deed, openLine } from "./lines.js";
import { scriptAmount } from "./money.js";
import { deviceUp, hasDevice, offer, offers, plainOffer, say, sayAll } from "./offers.js";
import { preparing } from "./preparing.js";
import { plural } from "./text.js";

export const tools = (screen, more = {}) => [
  { id: "floor", icon: "person", label: "Floor", act: { open: "floor" }, ...(more.floor ?? {}) },
  { id: "problem", icon: "warning", label: "Problem", act: { open: "problem" }, ...(more.problem ?? {}) },
  { id: "undo", icon: "undo", label: "Undo", act: offers(screen, "undo") ? say("undo") : null },
];

const comes = (who) => amber("Floor is here", who, { open: "floor" }, { icon: "badge" });

export function slots(screen, local) {
  if (screen.signed_in === null) return fill([amber("Sign in", "dealer: number and PIN", { sign: { do: "sign-in" } }, { icon: "badge" })]);
  const rests = ["closed", "preparing"].includes(screen.stage);
  return fill((rests ? preparing(screen) : null) ?? keys(screen, local) ?? preparing(screen) ?? remaining(screen));
}

function keys(screen, local) {
  if (screen.stage === "wagering") return wagering(screen);
  if (screen.stage === "reader-stopped") return [amber("Floor is here", "number and PIN", { open: "floor" }, { icon: "badge" })];
  return lines(screen, local) ?? approvals(screen) ?? answers(screen) ?? decisions(screen) ?? reader(screen) ?? cards(screen) ?? chance(screen);
}

function wagering(screen) {
  const boxes = screen.seats.filter((seat) => seat.in_play);
  const last = (screen.last_boxes ?? []).filter((box) => !boxes.some((seat) => seat.seat === box.seat));
  const amounts = key("A", "$", "amounts", offers(screen, "wager") ? { open: "amounts" } : null);
  if (screen.prompt.wanted) return null;
  // A new dealer burns a card before the first one is dealt (7.B(4)); a reading shoe tells it by itself.
  const burn = offers(screen, "burn") && !deviceUp(screen, "shoe") ? [key("C", "Burnt", "one card", say("burn"), { word: "burn" })] : [];
  if (offers(screen, "lock") && screen.stops.length === 0) {
    const clear = boxes.length ? key("B", "Clear", "all boxes", sayAll(boxes.map((seat) => `unwager ${seat.seat} main`))) : well("B");
    const button = screen.seats.some((seat) => seat.lamps.length) ? "or the lock-out button" : "lock out";
    if (boxes.length) return [amounts, clear, ...burn, amber("No more bets", button, say("lock"), { icon: "lock", locks: true })];
  }
  if (screen.stops.length && boxes.length === 0) return [amounts, comes("nothing is dealt before")];
  if (screen.stops.length) return [amounts, key("B", "Clear", "all boxes", sayAll(boxes.map((seat) => `unwager ${seat.seat} main`))), comes("nothing is dealt before")];
  if (last.length && offers(screen, "wager")) {
    const words = last.map((box) => `wager ${box.seat} main${box.main_cents === null ? "" : ` ${scriptAmount(box.main_cents)}`}`);
    return [amounts, wide("B", "Same boxes", last.map((box) => box.seat).join(" · "), { ...sayAll(words), sameBoxes: true }, { tone: "act", id: "amber", icon: "chip" }),
      well("D", 2, "No more bets", "tap a box first")];
  }
  return offers(screen, "wager") ? [amounts, ...burn, well("D", 2, "No more bets", "tap a box first")] : null;
}

// A line that is to be confirmed. The next card, or the next bet, says it as well.
function lines(screen, local) {
  const open = openLine(screen);
  const word = offer(screen, "paid") ?? offer(screen, "collected");
  if (!open || !word) return null;
  const done = { PAY: "Paid", TAKE: "Taken", LEAVE: "Left", HALF: "Halved" }[deed(open.line).word];
  const turn = screen.seats.find((seat) => seat.hands.some((hand) => hand.turn));
  const count = offers(screen, "settled") ? allLines(screen, local.settings.all_lines_limit_cents) : null;
  const note = turn && offers(screen, "card") ? `or deal on: seat ${turn.seat}` : "this line";
  const all = count ? [wide("B", "All lines", `hold 1 s: ${plural(count, "line")}`, null, { hold: say("settled"), ticks: true, id: "all-lines" })] : [];
  return [...all, amber(done, note, say(word.word), { icon: "check" })];
}

function approvals(screen) {
  if (offers(screen, "floor approve")) return [amber("Approve", "floorperson: PIN", say("floor approve"), { icon: "badge" })];
  if (offers(screen, "manager approve")) return [amber("Approve", "second person: PIN", say("manager approve"), { icon: "badge" })];
  return null;
}

// What a clause lets a player choose.
function answers(screen) {
  const [accept, refuse] = [offer(screen, "accept"), offer(screen, "refuse")];
  if (!accept && !refuse) return null;
  const seat = (accept ?? refuse).seats?.[0];
  const words = (verb) => (seat === undefined ? verb : `${verb} ${seat}`);
  const slots = [];
  if (refuse) slots.push(wide("B", "Refuses", `seat ${seat}`, say(words("refuse"))));
  if (accept) slots.push(wide("D", "Takes it", `seat ${seat}`, say(words("accept"))));
  return slots;
}

// The insertion closes insurance by itself; only a table without a reader is told what it would have said.
function reader(screen) {
  const insures = screen.stage === "insurance";
  const amounts = insures && offers(screen, "insure") ? [key("A", "$", "amounts", { open: "amounts", wager: "insurance" })] : [];
  if (screen.prompt.waits_for === "reader" || (insures && hasDevice(screen, "reader"))) {
    return [...amounts, wait("Reader next", insures ? "closes insurance: no tap needed" : "no tap needed", "reader")];
  }
  if (offers(screen, "peek")) {
    return [...amounts, key("C", "Not read", "insert again", say("peek unread")), key("D", "Yes", "blackjack", say("peek yes")),
      key("E", "No", "no blackjack", say("peek no"))];
  }
  if (insures && offers(screen, "insurance-closed")) return [...amounts, amber("Insurance closed", "then the hole card", say("insurance-closed"), { icon: "check" })];
  return null;
}

// Cards come from a reading shoe by themselves; where there is none they are tapped in (pages/cards).
function cards(screen) {
  const shoe = deviceUp(screen, "shoe");
  const cover = offers(screen, "cover") ? [key("A", "Cover", "card came", offer(screen, "cover").sides ? { open: "choose", word: "cover" } : say("cover"))] : [];
  const { prompt } = screen;
  if (offers(screen, "reveal") && prompt.shoe_knows) return [...cover, amber("Hole card up", "it is turned", { send: { do: "reveal" } }, { icon: "check" })];
  const turn = offer(screen, "turn");
  if (turn && prompt.shoe_knows) return [...cover, amber("Card turned", `seat ${turn.seats[0]}`, { send: { do: "turn-up", seat: turn.seats[0] } }, { icon: "check" })];
  if (offers(screen, "burn") && !shoe) return [...cover, amber("Burnt", "the card drawn", say("burn"), { icon: "check" })];
  const card = offer(screen, "card");
  if (card && shoe) return [...cover, wait("Shoe next", "draw: no tap needed", "shoe", "C")];
  if (card?.face === "down" && !card.sides) return [...cover, amber("Card is down", "face down", say("card ?"), { icon: "check" })];
  if (offers(screen, "burn")) return [...cover, wait("Shoe next", "draw the burn card", "shoe", "C")];
  return null;
}

function chance(screen) {
  const amount = offer(screen, "amount");
  if (amount) return [amber("Tell amount", `seat ${amount.seats[0]}`, { open: "amounts", seat: amount.seats[0], wager: amount.wager, word: "amount" }, { icon: "chip" })];
  const none = screen.prompt.offers.find((each) => each.word === "draw" && each.values?.includes("none"));
  const drawn = screen.prompt.offers.some((each) => each.word === "draw" && !each.values?.includes("none"));
  if (none || drawn) {
    return [...(drawn ? [wide("B", "Something drawn", "say what", { open: "choose", word: "draw" })] : []), ...(none ? [amber("Nothing drawn", "go on", say("draw none"), { icon: "check" })] : [])];
  }
  if (offers(screen, "wheel")) return [amber("Wheel stopped", "say where", { open: "choose", word: "wheel" }, { icon: "check" })];
  return null;
}

// What is left: one step that needs no choice, or nobody but the floor.
function remaining(screen) {
  // Nothing is left of a void round but its payments: without a word they stand (H12).
  if (offers(screen, "payments") && plainOffer(screen, "next")) return [wide("B", "Floor answers", "stand or back: PIN", { open: "reasons", of: "payments" }), amber("They stand", "nothing more is said", say("next"), { icon: "check" })];
  if (screen.prompt.wanted && plainOffer(screen, screen.prompt.wanted)) return [amber("Done", "go on", say(screen.prompt.wanted), { icon: "check" })];
  if (plainOffer(screen, "next")) return [amber("Done", "next step", say("next"), { icon: "check" })];
  if (offers(screen, "settled")) return [amber("Settled", "all lines", say("settled"), { icon: "check" })];
  return [comes("number and PIN")];
}
