// What a person at the demo does next, from the screen alone. Pure.

export const lines = (screen) => [
  "Take a chip, tap a spot.", "Press the red lock-out button.", "Draw from the shoe until all have two.", `Ace or ${screen.game === "blackjack" ? "ten" : "face card"} up? Insert the hole card.`,
  "Decide for each seat: Hit, Stand …", "Turn, draw, settle.",
];

const offers = (screen, word) => screen.prompt.offers.some((offer) => offer.word === word);

// What hands may do on the felt now, and which of it is next.
export function felt(screen) {
  const { stage, prompt } = screen;
  const boxes = screen.seats.some((seat) => seat.in_play);
  const betting = stage === "wagering" && !screen.locked && screen.stops.length === 0;
  const deciding = stage === "decisions" && offers(screen, "stand");
  const testing = screen.mode === "inspection";
  const draw = (offers(screen, "card") || offers(screen, "burn")) && (stage !== "wagering" || screen.locked || offers(screen, "burn")) && prompt.wanted !== "decks";
  const insert = stage === "insurance" || prompt.waits_for === "reader" || testing;
  const next = betting ? (boxes ? "lock" : "chips") : insert ? "insert" : draw && !deciding ? "draw" : "screen";
  return { chips: betting, side: betting || testing, lock: (betting && boxes) || testing, draw, insert, next };
}

// Which of the six lines is now.
export function line(screen) {
  const { stage } = screen;
  if (stage === "wagering") return screen.seats.some((seat) => seat.in_play) ? 1 : 0;
  if (stage === "dealing" || stage === "first-card-wagers") return 2;
  if (stage === "insurance" || stage === "reader") return 3;
  if (stage === "decisions") return 4;
  return ["reveal", "dealer-draws", "wheel", "settlement"].includes(stage) ? 5 : null;
}
