// Something went wrong: a group, what happened in plain words, then what the clause asks for. The table says what follows.

import { SUIT_KEYS, face, rankSign } from "../core/cards.js";
import { outcome } from "../core/outcome.js";
import { amber, fill, key, well, wide } from "../core/keys.js";
import { offer, offersOf, say } from "../core/offers.js";
import { clauseId, plural, wagerName } from "../core/text.js";

const GROUPS = [
  ["card", "A card", "seen, face up, missed", "card"], ["dealer", "Dealer's hand", "own card, one too many", "hand"], ["shoe", "The shoe", "empty, or a wrong side", "shoe"],
  ["reader", "The reader", "wrong up card, no answer", "reader"], ["shuffler", "The shuffler", "jam, out of order", "shuffle"], ["wager", "A wager", "late chip, cash", "chip"],
];
const AT_ONCE = 8;

export const open = () => ({ group: null, what: null, seat: null, rank: null, card: null, attested: null, from: 0 });

// What would follow is asked before it is told, and anew after every change of the order.
const address = (screen, words) => `/api/v1/outlook/${encodeURIComponent(words)}#${screen.prompt_number}`;
export function wants(screen, state) {
  const words = state.what === null ? null : complete(state, possible(screen).find((each) => each.clause === state.what));
  return words ? [address(screen, words)] : [];
}

const possible = (screen) => offersOf(screen, "irregularity").flatMap((each) => each.irregularities ?? []);

// What can have happened, by group: irregularities of a clause, and words about wagers.
function happened(screen, group) {
  if (group !== "wager") {
    return possible(screen).filter((each) => each.group === group).map((each) => ({ label: each.title, note: each.note, right: each.clause, act: { page: { what: each.clause } } }));
  }
  const late = offersOf(screen, "late").flatMap((each) => each.seats.map((seat) => ({ label: `Late: seat ${seat}`, note: wagerName(each.wager), act: say(`late ${seat} ${each.wager}`) })));
  const cash = offersOf(screen, "cash").flatMap((each) => each.seats.map((seat) => {
    const back = each.values?.[0] ?? "";
    return { label: `Cash: seat ${seat}`, note: back ? "given back" : "spoken wager", act: say(`cash ${seat}${back ? ` ${back}` : ""}`) };
  }));
  return [...late, ...cash];
}

export function view(screen, state, local) {
  if (state.group === null) return groups(screen);
  if (state.what === null) return list(screen, state);
  return question(screen, state, possible(screen).find((each) => each.clause === state.what), local);
}

const marked = { floor: {}, problem: { tone: "act", act: { close: true } } };
const frame = (screen, crumbs, rest) => ({
  ...rest,
  strip: { tone: null, cells: [{ text: screen.table, strong: true }, { text: "Nothing is written yet" }, ...crumbs.map((text) => ({ text }))], end: { text: "✓ saved", tone: "ok" } },
  toolsMore: marked,
});

const backToPlay = (at, span = 2) => ({ ...wide(at, "Back to play", "nothing happened", { close: true }), span });

function groups(screen) {
  const tiles = GROUPS.map(([group, label, note, icon]) => {
    const any = happened(screen, group).length > 0;
    return { icon, label, note: any ? note : "not in this phase", act: any ? { page: { group } } : null, ghost: !any };
  });
  const correct = offer(screen, "correct") ? key("C", "Correct", "take back", { open: "reasons" }) : well("C");
  return frame(screen, ["1 Group", "2 What happened", "3 Questions"], {
    prompt: { situation: "The round waits.", order: "What went wrong?", tone: "act" },
    zone: { kind: "tiles", columns: 3, rows: 2, stacked: true, tiles },
    slots: fill([backToPlay("A"), correct, well("D", 2, "Choose a group")]),
  });
}

function list(screen, state) {
  const all = happened(screen, state.group);
  const [, name] = GROUPS.find(([group]) => group === state.group);
  const more = all.length > AT_ONCE;
  return frame(screen, [`✓ ${name}`, "2 What happened", "3 Questions"], {
    prompt: { situation: `What went wrong? ${name}.`, order: "Tap what happened.", tone: "act" },
    zone: { kind: "tiles", columns: 2, rows: 4, tiles: all.slice(state.from, state.from + AT_ONCE) },
    slots: fill([key("A", "Back", "other group", { page: { group: null } }), backToPlay("B"),
      more ? wide("D", "More", `${plural(all.length, "entry", "entries")}`, { page: { from: state.from + AT_ONCE >= all.length ? 0 : state.from + AT_ONCE } }) : well("D", 2, "Choose what happened")]),
  });
}

const seatOf = (state, what) => state.seat ?? (what.seats?.length === 1 ? what.seats[0] : null);

// The words for the table, once nothing is open any more.
function complete(state, what) {
  if (!what || (what.seats?.length && seatOf(state, what) === null) || (what.cards && !state.card) || (what.attest && !state.attested)) return null;
  return ["irregularity", what.clause, seatOf(state, what), what.cards ? state.card : null, what.attest ? state.attested : null].filter(Boolean).join(" ");
}

// What the clause still has to know, one after the other: the seat, the card, that a device is covered or has its sign.
function question(screen, state, what, local) {
  if (!what) return list(screen, { ...state, what: null });
  const seat = seatOf(state, what);
  const crumbs = [`✓ ${what.title}`, `${what.clause}`];
  const back = key("A", "Back", "", { page: { what: null, seat: null, rank: null, card: null, attested: null } });
  const asked = (order, zone, slots) => frame(screen, crumbs, { prompt: { situation: `${what.title} ${what.note}.`, order, clause: what.clause, tone: "act" }, zone, slots: fill([back, ...slots]) });
  if (what.seats?.length && seat === null) {
    const tiles = what.seats.map((number) => ({ label: `Seat ${number}`, note: "", act: { page: { seat: number } } }));
    return asked("Which seat?", { kind: "tiles", columns: 4, rows: 2, tiles }, [backToPlay("B"), well("D", 2, "Choose a seat")]);
  }
  if (what.cards && !state.card) {
    const ranks = [...what.cards].map((rank) => ({ label: rankSign(rank), act: { page: { rank } }, chosen: rank === state.rank }));
    const suits = SUIT_KEYS.map((suit, at) => (state.rank ? key("BCDE"[at], suit.sign, "", { page: { card: state.rank + suit.letter } }, { tone: "suit", colour: suit.colour, pageKey: true }) : well("BCDE"[at], 1, suit.sign)));
    return asked("Which card? Rank, then suit.", { kind: "cards", track: [], keys: ranks, columns: Math.ceil(ranks.length / 2) }, suits);
  }
  if (what.attest && !state.attested) {
    const tiles = [["covered", "Is covered", "nobody can use it"], ["sign", "Has its sign", "out of order"]].map(([word, label, note]) => ({ label, note, act: { page: { attested: word } } }));
    return asked("How is it marked?", { kind: "tiles", columns: 2, rows: 2, tiles }, [backToPlay("B"), well("D", 2, "Choose one")]);
  }
  const words = complete(state, what);
  const told = local?.read?.[address(screen, words)];
  const side = { title: `${what.title} ${what.note}`, card: state.card ? face(state.card) : null, rows: seat ? [{ label: "Seat", value: String(seat) }] : [], text: "Nothing is written before you go on." };
  return frame(screen, [...crumbs, "What happens next"], {
    prompt: { situation: `${what.title} ${what.note}.`, order: "This is what follows.", clause: what.clause, tone: "act" },
    zone: { kind: "steps", shape: "outcome", steps: outcome(told, what), side },
    slots: fill([back, backToPlay("B"), amber("Yes, go on", clauseId(what.clause), say(words), { icon: "check", pageKey: true })]),
  });
}

export const step = (screen, state, act) => ({ state: { ...state, ...act } });
