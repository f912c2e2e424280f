// Cards that no shoe tells: rank, then suit.

import { SUIT_KEYS, cardSigns, rankSign } from "../core/cards.js";
import { fill, key, well } from "../core/keys.js";
import { deviceUp, offer, offers, say } from "../core/offers.js";
import { title } from "../core/text.js";

// What has to be named now: a card from the shoe, the hole card, or a card that was turned.
function asked(screen) {
  if (screen.lines.some((line) => !line.confirmed) && (offers(screen, "paid") || offers(screen, "collected"))) return null;
  const turn = offer(screen, "turn");
  if (turn && !screen.prompt.shoe_knows) return { ...turn, words: (card) => `turn ${turn.seats[0]} ${card}` };
  const reveal = offer(screen, "reveal");
  if (reveal && !screen.prompt.shoe_knows && screen.prompt.wanted !== "next") return { ...reveal, words: (card) => `reveal ${card}` };
  const card = offer(screen, "card");
  if (!card || deviceUp(screen, "shoe")) return null;
  return { ...card, words: (named, side) => `card ${named}${side ? ` ${side}` : ""}` };
}

// A hand that decides keeps its keys: Hit opens the pad. A card that only goes down is one tap. Other answers come first.
export function isDue(screen) {
  const now = screen.signed_in !== null && asked(screen);
  // A card that lies face down is turned at settlement too; the others come while cards are out.
  const stages = ["dealing", "first-card-wagers", "reveal", "dealer-draws", "decisions", "irregularity"];
  if (!now || (now.word !== "turn" && !stages.includes(screen.stage))) return false;
  if (offers(screen, "stand") || offers(screen, "burn") || offers(screen, "accept") || offers(screen, "amount")) return false;
  return now.word !== "card" || now.face !== "down" || Boolean(now.sides);
}

export const open = () => ({ rank: null, side: null });

export function view(screen, state) {
  const now = asked(screen) ?? { word: "card", cards: "A23456789TJQK", face: "up", words: (card) => `card ${card}` };
  const side = now.sides?.length ? (state.side ?? (now.sides.length === 1 ? now.sides[0] : null)) : null;
  const ready = state.rank !== null && (!now.sides?.length || side !== null);
  const keys = [...(now.cards ?? "")].map((rank) => ({ label: rankSign(rank), act: { page: { rank } }, chosen: rank === state.rank }));
  const down = now.word === "card" && now.face !== "up";
  const sides = now.sides?.length > 1 ? now.sides.map((each) => ({ label: title(each), note: "side", words: true, act: { page: { side: each } }, chosen: each === side })) : [];
  const suits = SUIT_KEYS.map((suit, at) => (ready
    ? key("BCDE"[at], suit.sign, "", say(now.words(state.rank + suit.letter, side)), { tone: "suit", colour: suit.colour, word: `suit-${suit.letter}`, pageKey: true })
    : well("BCDE"[at], 1, suit.sign)));
  const first = down ? key("A", "Face", "down", !now.sides?.length || side ? say(`card ?${side ? ` ${side}` : ""}`) : null) : screen.stage === "decisions" ? key("A", "Back", "no card", { close: true }) : well("A");
  return {
    prompt: { order: "Tap rank, then suit.", situation: screen.prompt.text },
    zone: { kind: "cards", track: track(screen), keys: [...sides, ...keys], columns: Math.ceil((keys.length + sides.length) / 2) },
    slots: fill([first, ...suits]),
  };
}

export const step = (screen, state, act) => ({ state: { ...state, ...act } });

// Where the cards lie: one cell a seat, then the dealer.
function track(screen) {
  const cell = (seat) => {
    const hand = seat.hands.find((each) => each.turn) ?? seat.hands.at(-1);
    const turn = seat.hands.some((each) => each.turn);
    const shown = hand?.cards.length ? hand.cards.map((card) => (card === "?" ? "▮" : rankSign(card[0]))).slice(-2).join(" ") : "";
    return { text: `${seat.seat} ${turn ? "▾" : shown}`, tone: turn ? "act" : seat.in_play ? null : "ghost" };
  };
  const up = screen.dealer.cards.at(-1);
  return [...screen.seats.map(cell), { text: `D ${up ? cardSigns(up) : ""}`, tone: null }];
}
