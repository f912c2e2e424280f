// A hand decides: five places that never move, ghosts for what is closed, and why it is.

import { key, well } from "./keys.js";
import { shortMoney } from "./money.js";
import { deviceUp, plainOffer, say } from "./offers.js";
import { title } from "./text.js";

const PLACES = [["A", ["surrender", "rescue"]], ["B", ["split", "switch"]], ["C", ["double", "redouble"]], ["D", ["hit"]], ["E", ["stand"]]];

// Words that belong to the hand whose turn it is; the same word with seats belongs to a seat.
export function decisions(screen) {
  if (screen.stage !== "decisions" || !plainOffer(screen, "stand")) return null;
  const hand = screen.seats.flatMap((seat) => seat.hands).find((each) => each.turn);
  const more = hand?.stake_cents ? `+${shortMoney(hand.stake_cents)}` : "";
  const shoe = deviceUp(screen, "shoe");
  return PLACES.map(([at, words]) => {
    const word = words.find((each) => plainOffer(screen, each));
    if (!word) return well(at, 1, ghost(screen, words));
    if (word === "hit") return hit(at, shoe);
    if (word === "double") return double(screen, at, more);
    const note = { split: more, redouble: "", rescue: "half back", switch: "second cards" }[word] ?? "";
    return key(at, title(word), note, say(word), { word });
  });
}

// Without a reading shoe the card itself says that there was a hit.
const hit = (at, shoe) => (shoe ? key(at, "Hit", "or draw", say("hit"), { word: "hit" }) : key(at, "Hit", "tap the card", { open: "cards", word: "card" }, { word: "hit" }));

function double(screen, at, more) {
  const offer = plainOffer(screen, "double");
  const less = offer.min_cents !== undefined && offer.min_cents < offer.max_cents;
  return key(at, "Double", less ? `${more}, hold: less` : more, say("double"), { word: "double", hold: less ? { open: "less" } : null });
}

// The name of a closed place: what this game and moment could have there.
const ghost = (screen, words) => title(words.find((word) => screen.prompt.closed?.some((each) => each.word === word)) ?? words[0]);

// Why the ghosts are closed, as the table tells it.
export const closed = (screen) => (screen.prompt.closed ?? []).map(({ word, reason, clause }) => ({ label: title(word), reason, clause }));
