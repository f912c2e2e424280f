// Names that people read. One table for each; what is not in it is spelt from its id.

const GAMES = { blackjack: "Blackjack", "spanish-21": "Spanish 21", "pontoon-21": "Pontoon 21", "players-edge-21": "Player's Edge 21" };

const WAGERS = {
  "match-the-dealer": "Match the Dealer", "21-plus-3": "21+3", "kings-bounty": "King's Bounty", "top-3": "Top 3",
  "buster-blackjack-free-bonus": "Buster Free Bonus", "hit-and-run": "Hit and Run", trilux: "TriLux",
};

// `monster-match` as `Monster Match`.
export const title = (id) => id.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
export const gameName = (id) => GAMES[id] ?? title(id);
export const wagerName = (id) => WAGERS[id] ?? title(id);

// Spanish decks have no tens (the sister games).
export const hasTens = (screen) => screen.game === "blackjack";

// `blackjack 7.E(1)` as `7.E(1)`: the game stands in the strip.
export const clauseId = (clause) => (clause ? clause.replace(/^(blackjack|spanish-21|pontoon-21|players-edge-21) /, "") : "");

// What a paytable calls a line, `four-of-a-kind-suited`, as words.
export const lineName = (id) => id.replace(/(?<=[a-z])-(?=[a-z])/g, " ");

export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

// What a hand has come to, in one word.
const HANDS = { open: "", stood: "stood", bust: "✕ bust", blackjack: "★ blackjack", surrendered: "surrendered", rescued: "rescued", doubled: "doubled", dead: "dead hand" };

export const handWord = (state) => HANDS[state] ?? state;
