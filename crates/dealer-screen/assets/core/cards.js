// Cards as they are shown: rank, suit as a sign, colour. A card that lies face down is `?` and one constant back.

const SUITS = { c: ["♣", "black", "clubs"], d: ["♦", "red", "diamonds"], h: ["♥", "red", "hearts"], s: ["♠", "black", "spades"] };
const RANKS = { A: "Ace", T: "10", J: "Jack", Q: "Queen", K: "King" };

export const SUIT_KEYS = ["s", "h", "d", "c"].map((letter) => ({ letter, sign: SUITS[letter][0], colour: SUITS[letter][1], name: SUITS[letter][2] }));

export const rankSign = (letter) => (letter === "T" ? "10" : letter);
export const rankName = (letter) => RANKS[letter] ?? letter;

export function face(card) {
  if (card === "?") return { back: true };
  const [sign, colour] = SUITS[card[1]];
  return { rank: rankSign(card[0]), suit: sign, colour };
}

// `8♥`, `10♠`.
export const cardSigns = (card) => (card === "?" ? "face-down card" : `${rankSign(card[0])}${SUITS[card[1]][0]}`);
export const cardName = (card) => (card === "?" ? "face-down card" : `${rankName(card[0])} of ${SUITS[card[1]][2]}`);

// `16`, soft `7/17`; nothing while a card lies face down.
export function total(hand) {
  if (hand.total === null || hand.total === undefined) return "";
  return hand.soft && hand.state !== "done" && hand.state !== "blackjack" ? `${hand.total - 10}/${hand.total}` : String(hand.total);
}

// In a row of a split hand: `S17`.
export const rowTotal = (hand) => (hand.total === null ? "–" : `${hand.soft ? "S" : ""}${hand.total}`);

// Up to three cards with their suits; four to ten as ranks in two rows of five. The card of a double has a foot.
export function layOut(cards, doubles = 0) {
  const faces = cards.map(face);
  if (doubles > 0 && faces.length > 2) for (const card of faces.slice(-doubles)) card.foot = true;
  return { small: faces.length > 3, faces };
}
