// Why something is taken back, not approved or decided: tiles, never typed. What is signed says the reason.

import { amber, fill, well, wide } from "../core/keys.js";
import { money } from "../core/money.js";
import { say } from "../core/offers.js";
import { tableInSmall } from "../core/strip.js";
import { plural } from "../core/text.js";
import { who } from "../core/visits.js";

const REASONS = {
  correct: [
    ["Paid the wrong box", ""], ["Wrong amount paid", "too much or too little"], ["Wrong decision key", "the player said another"], ["Card to a wrong hand", ""],
    ["Wager told wrongly", "box or amount"], ["Line confirmed early", "chips not moved yet"], ["Misread card", "another one lies there"], ["Something else", "report goes to the shift"],
  ],
  reject: [
    ["Hand does not win", "another card lies there"], ["Lamp was dark", "the bet never counted"], ["Chip came late", "after no more bets"], ["Cards look altered", "marked or exchanged"],
    ["Procedure was broken", "deal or settlement"], ["Surveillance objects", "they have said why"],
  ],
  payments: [
    ["Paid by the rules", "hand was over"], ["Paid before the find", "nobody could know"], ["Cards were wrong", "those hands too"], ["Wrong deck in the shoe", ""], ["Reader was wrong", "it settled them"], ["Something else", "report goes to the shift"],
  ],
};

const TITLES = { correct: ["correct", "Why is it taken back?"], reject: ["reject a jackpot", "Why is it not approved?"], payments: ["payments before the void", "Do they stand? Say why."] };

export const open = (screen, { of = "correct" } = {}) => ({ of, chosen: null });

// What had been paid when the round became void, as far as it was told (H12); jackpots stay paid.
function paid(screen) {
  const lines = screen.lines.filter((line) => line.confirmed && line.outcome === "won" && !line.approval);
  const known = lines.length > 0 && lines.every((line) => line.pays_cents !== null);
  return known ? `${plural(lines.length, "payment")}, ${money(lines.reduce((all, line) => all + line.pays_cents, 0))}` : plural(lines.length, "payment");
}

const quoted = ({ chosen }) => `"${chosen.toLowerCase()}"`;

function slots(state) {
  switch (state.of) {
    case "reject": return [state.chosen ? amber("Reject", "two people: PIN", say(`reject ${quoted(state)}`), { icon: "cross", pageKey: true }) : well("D", 2, "Choose a reason")];
    case "payments": return [...(state.chosen ? [wide("B", "They stand", "floorperson: PIN", say(`payments stand ${quoted(state)}`), { pageKey: true }), wide("D", "Taken back", "bets return: PIN", say(`payments back ${quoted(state)}`), { pageKey: true })] : [well("B", 2, "They stand"), well("D", 2, "Taken back", "choose a reason")])];
    default: return [state.chosen ? amber("Take back", "floorperson: PIN", say(`correct ${quoted(state)}`), { icon: "undo", pageKey: true }) : well("D", 2, "Choose a reason")];
  }
}

function foot(screen, state) {
  if (state.of === "payments") return `Paid before the void: ${paid(screen)}. One answer for all of them (H12).`;
  if (state.of === "reject") return `Tell the player: “Not approved${state.chosen ? `: ${state.chosen.toLowerCase()}` : ""}. Your bet goes back. You may ask for a manager.”`;
  return null;
}

export function view(screen, state, local) {
  const tiles = REASONS[state.of].map(([label, note]) => ({ label, note, chosen: label === state.chosen, act: { page: { chosen: label } } }));
  const [name, order] = TITLES[state.of];
  const rows = Math.ceil(tiles.length / 2);
  return {
    prompt: { tone: "ink", situation: `${who(local)} · ${name}`, order },
    strip: local.refused || local.dropped ? undefined : tableInSmall(screen, local),
    zone: { kind: "tiles", columns: 2, rows, tiles, foot: foot(screen, state) },
    tools: [{ id: "cancel", icon: "left", label: "Back", act: { close: true }, span: 2 }],
    slots: fill(slots(state)),
  };
}

export const step = (screen, state, act) => ({ state: { ...state, ...act } });
