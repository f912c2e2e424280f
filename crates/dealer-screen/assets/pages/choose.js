// One of several: where a wheel stopped, what was drawn, who cuts. Tiles in pages of twelve.

import { fill, key, well } from "../core/keys.js";
import { offersOf, say } from "../core/offers.js";
import { title, wagerName } from "../core/text.js";

const AT_ONCE = 12;
const TITLES = { wheel: ["The wheel has stopped.", "Where did it stop?"], draw: ["Something was drawn.", "What was drawn?"], cover: ["The cover card came out.", "From which side?"], cut: ["The cards are cut.", "Who cuts?"] };

export const open = (screen, args) => ({ from: 0, ...args });

// Every value of every offer of this word, as words.
function choices(screen, { word }) {
  return offersOf(screen, word).flatMap((offer) => {
    const seats = offer.seats ?? [null];
    const values = offer.values ?? offer.sides ?? [""];
    return seats.flatMap((seat) => values.filter((value) => value !== "none").map((value) => {
      const parts = word === "draw" ? [value, seat] : [seat, offer.wager, value];
      const said = [word, ...parts].filter((part) => part !== null && part !== undefined && part !== "").join(" ");
      const note = [seat ? `seat ${seat}` : null, offer.wager ? wagerName(offer.wager) : null].filter(Boolean).join(" · ");
      const [by, depth] = value.split(" ");
      if (word === "cut") return { label: by === "dealer" ? "Dealer" : `Seat ${by}`, note: `${depth} deep`, act: say(said) };
      const act = offer.cards ? { open: "cards", word: said } : say(said);
      return { label: /^[a-z-]+$/.test(value) ? title(value) : value || `Seat ${seat}`, note, act };
    }));
  });
}

export function view(screen, state) {
  const all = choices(screen, state);
  const shown = all.slice(state.from, state.from + AT_ONCE);
  const [situation, order] = TITLES[state.word] ?? ["One of these.", "Which one?"];
  const more = all.length > AT_ONCE ? key("B", "More", `${state.from / AT_ONCE + 1} of ${Math.ceil(all.length / AT_ONCE)}`, { page: { from: state.from + AT_ONCE >= all.length ? 0 : state.from + AT_ONCE } }) : well("B");
  return {
    prompt: { situation, order },
    zone: { kind: "tiles", columns: shown.length > 6 ? 4 : 3, rows: Math.max(2, Math.ceil(shown.length / (shown.length > 6 ? 4 : 3))), tiles: shown },
    slots: fill([key("A", "Back", "", { close: true }), more, well("D", 2, "Choose one")]),
  };
}

export const step = (screen, state, act) => ({ state: { ...state, ...act } });
