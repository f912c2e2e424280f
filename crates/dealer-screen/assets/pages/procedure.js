// A table that follows the steps alone: five taps a round, and a tap on a seat for what is out of the ordinary.

import { tools } from "../core/bar.js";
import { amber, fill, key, wait, well, wide } from "../core/keys.js";
import { offer, offerAt, offers, offersOf, plainOffer, say, sayAll } from "../core/offers.js";
import { hasTens, plural } from "../core/text.js";

const CELLS = ["Boxes", "Lock", "Up card", "Dealer done", "Settled"];
const AT = { dealing: 3, "first-card-wagers": 3, insurance: 4, reader: 4, decisions: 4, reveal: 4, "dealer-draws": 4, wheel: 5, settlement: 5 };
// Steps from here to the settlement that are one tap together.
const STEPS_LEFT = { decisions: 3, reveal: 2, "dealer-draws": 1 };

export const isDue = (screen) => screen.tracking === "procedure" && screen.signed_in !== null && AT[screen.stage] !== undefined && !asksElse(screen);

// Lines, approvals and answers keep their own places.
const asksElse = (screen) => ["paid", "collected", "floor approve", "manager approve", "accept", "refuse", "amount", "wheel", "draw"].some((word) => offers(screen, word));

export const open = () => ({ marked: null, claim: null });

export function view(screen, state) {
  const at = AT[screen.stage];
  const track = CELLS.map((name, index) => ({ text: index + 1 < at ? `✓ ${name}` : `${index + 1} ${name}`, tone: index + 1 < at ? "ok" : index + 1 === at ? "now" : "past" }));
  const up = offer(screen, "up");
  if (state.claim) return claims(screen, state, track);
  const body = up ? upCard(screen, up) : seats(screen, state);
  const { situation, text } = screen.prompt;
  const order = ORDERS[up ? "up" : screen.stage === "reader" && !hasTens(screen) ? "reader-no-tens" : screen.stage];
  return {
    prompt: { situation: order?.[0] ?? situation, order: order?.[1] ?? text, tone: waits(screen) ? "info" : "act" },
    zone: { kind: "procedure", track, ...body },
    slots: fill(keys(screen, up)),
  };
}

const ORDERS = {
  up: ["Two cards each, one down.", "Tap the dealer's up card."], decisions: ["Players decide.", "Serve players, then your hand."],
  reveal: ["Players are served.", "Turn and draw your hand."], "dealer-draws": ["Hole card is up.", "Draw your hand."], settlement: ["Dealer is done.", "Settle, clear the cards."],
  insurance: ["Ace up: offer insurance.", "Then hole card into reader."], reader: ["Ten or face up.", "Hole card into reader."], "reader-no-tens": ["Face card up.", "Hole card into reader."],
};

const waits = (screen) => screen.prompt.waits_for === "reader";

function keys(screen, up) {
  if (offers(screen, "burn")) return [amber("Burnt", "the card drawn", say("burn"), { icon: "check" })];
  if (up) return [well("D", 2, "Tap the up card")];
  if (waits(screen)) return [wait("Reader next", screen.stage === "insurance" ? "closes insurance: no tap needed" : "no tap needed", "reader")];
  if (offers(screen, "peek")) return [key("C", "Not read", "insert again", say("peek unread")), key("D", "Yes", "blackjack", say("peek yes")), key("E", "No", "no blackjack", say("peek no"))];
  if (screen.stage === "insurance" && offers(screen, "insurance-closed")) return [amber("Insurance closed", "", say("insurance-closed"), { icon: "check" })];
  const left = screen.prompt.wanted === "next" && screen.stage !== "reveal" ? 1 : STEPS_LEFT[screen.stage];
  if (left && plainOffer(screen, "next")) return [amber("Dealer done", "served, turned, drawn", sayAll(Array.from({ length: left }, () => "next")), { icon: "check" })];
  if (plainOffer(screen, "next")) return [amber(screen.stage === "settlement" ? "Settled" : "Done", screen.stage === "settlement" ? "cards cleared" : "next step", say("next"), { icon: "check" })];
  if (offers(screen, "settled")) return [amber("Settled", "cards cleared", say("settled"), { icon: "check" })];
  return [];
}

// Three keys in the place of the seats, which stand below in small.
function upCard(screen, up) {
  const tens = (up.cards ?? "T").includes("T") ? "10 J Q K" : "J Q K";
  const faces = { ace: ["A", "insurance, then reader"], ten: [tens, "reader"], low: ["2 – 9", "players decide"] };
  return {
    keys: up.values.map((value) => ({ label: faces[value][0], note: faces[value][1], act: say(`up ${value}`) })),
    small: screen.seats.map((seat) => ({ text: `${seat.seat} ${seat.in_play ? "●" : "–"}`, tone: seat.in_play ? null : "ghost" })),
  };
}

// A tap says blackjack, a second tap surrender instead; a hold opens the claims of the seat.
function seats(screen, state) {
  const view = (seat) => {
    if (!seat.in_play) return { seat: seat.seat, state: "empty", body: { kind: "text", text: "no bet" } };
    const { text, tone } = words(seat);
    const act = act_(screen, seat, state);
    const claim = offersOf(screen, "claim").some((each) => each.seats?.includes(seat.seat));
    return { seat: seat.seat, state: tone === "ok" ? "in" : "open", body: { kind: "text", text, tone, strong: tone !== null }, foot: { text: act ? "tap" : "", tone: "past" }, act, hold: claim ? { page: { claim: seat.seat } } : null };
  };
  const claimable = offers(screen, "claim");
  return { seats: screen.seats.map(view), foot: { label: "Order of service", strong: "from your left", right: claimable ? "Claims: hold a seat" : plural(screen.seats.filter((seat) => seat.in_play).length, "box", "boxes") } };
}

function words(seat) {
  const hand = seat.hands[0];
  if (hand?.state === "blackjack") return { text: "★ blackjack", tone: "ok" };
  if (hand?.state === "surrendered") return { text: "½ surrender", tone: "plain" };
  return { text: seat.insured ? "insured" : "in play", tone: null };
}

function act_(screen, seat, state) {
  const marked = seat.hands[0]?.state === "blackjack" && state.marked === seat.seat && offers(screen, "undo");
  if (marked) return { ...sayAll(["undo", `surrender ${seat.seat}`]), pageStep: { marked: null } };
  if (offerAt(screen, "insure", seat.seat)) return say(`insure ${seat.seat}`);
  if (offerAt(screen, "blackjack", seat.seat)) return { ...say(`blackjack ${seat.seat}`), pageStep: { marked: seat.seat } };
  if (offerAt(screen, "surrender", seat.seat)) return say(`surrender ${seat.seat}`);
  return null;
}

function claims(screen, state, track) {
  const all = offersOf(screen, "claim").filter((each) => each.seats?.includes(state.claim));
  const tiles = all.flatMap((each) => each.values.map((line) => ({ label: line, note: each.wager, act: { ...say(`claim ${state.claim} ${each.wager} ${line}`), pageStep: { claim: null } } })));
  return {
    prompt: { situation: `Seat ${state.claim} claims.`, order: "Which line?" },
    zone: { kind: "tiles", columns: 4, rows: 3, tiles: tiles.slice(0, 12), track },
    slots: fill([wide("A", "Back", "no claim", { page: { claim: null } }), well("D", 2, "Choose a line")]),
    tools: tools(screen),
  };
}

export const step = (screen, state, act) => ({ state: { ...state, ...act } });
