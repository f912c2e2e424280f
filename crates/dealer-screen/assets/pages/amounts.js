// What lies at a box: the wager, tapped in chips. Opened by a hold on a seat, or by $.

import { amber, fill, key, well } from "../core/keys.js";
import { breakDown, chipValue, money, scriptAmount, shortMoney } from "../core/money.js";
import { offerAt, offersOf, say } from "../core/offers.js";
import { plural, wagerName } from "../core/text.js";

const nameOf = (wager) => (wager === "main" ? "Main" : wager === "insurance" ? "Insurance" : wagerName(wager));
const TABS = 3;

// The word that an amount is told with: while bets are open a wager, later what was asked for.
const wordOf = (screen, state) => state.word ?? (state.wager === "insurance" ? "insure" : "wager");

function offerOf(screen, state) {
  return wordOf(screen, state) === "insure" ? offerAt(screen, "insure", state.seat) : offerAt(screen, wordOf(screen, state), state.seat, state.wager);
}

export function open(screen, { seat, wager = "main", word }) {
  const at = seat ?? first(screen, wager, word);
  return fresh(screen, { seat: at, wager, word, from: 0 });
}

function first(screen, wager, word) {
  const all = word ? offersOf(screen, word) : offersOf(screen, wager === "insurance" ? "insure" : "wager");
  const seats = [...new Set(all.flatMap((offer) => offer.seats ?? []))];
  return screen.seats.find((seat) => seat.in_play && seats.includes(seat.seat))?.seat ?? seats[0] ?? 1;
}

// Another box or wager: what is known of it.
const fresh = (screen, state) => ({ ...state, cents: stakeOf(screen, state) });

function stakeOf(screen, { seat, wager }) {
  const box = screen.seats.find((each) => each.seat === seat);
  if (wager === "main") return box?.main_cents ?? 0;
  if (wager === "insurance") return box?.insurance_cents ?? 0;
  return box?.side.find((side) => side.wager === wager)?.stake_cents ?? 0;
}

const fits = (offer, cents) => Boolean(offer) && (offer.one_of_cents ? offer.one_of_cents.includes(cents)
  : cents >= (offer.min_cents ?? 1) && cents <= (offer.max_cents ?? Infinity) && cents % (offer.step_cents || 1) === 0);

function words(screen, state, amount) {
  const tail = amount === null ? "" : ` ${scriptAmount(amount)}`;
  const word = wordOf(screen, state);
  return word === "insure" ? `insure ${state.seat}${tail}` : `${word} ${state.seat} ${state.wager}${tail}`;
}

// The next box in play: the amber button writes this one and goes there.
function next(screen, state) {
  const seats = screen.seats.filter((seat) => seat.in_play && seat.seat > state.seat && offerOf(screen, { ...state, seat: seat.seat }));
  return seats[0]?.seat ?? null;
}

export function view(screen, state, local) {
  const offer = offerOf(screen, state);
  const wagers = wordOf(screen, state) === "wager" ? tabsOf(screen, state.seat) : [state.wager];
  const ready = fits(offer, state.cents);
  const then = state.word ? null : next(screen, state);
  const last = state.wager === "main" ? screen.last_boxes?.find((box) => box.seat === state.seat)?.main_cents ?? null : null;
  const range = offer ? (offer.one_of_cents ? offer.one_of_cents.map(shortMoney).join(" or ") : offer.min_cents === undefined ? "" : `${shortMoney(offer.min_cents)} to ${shortMoney(offer.max_cents)}`) : "not now";
  const out = screen.seats.find((seat) => seat.seat === state.seat)?.in_play && offerAt(screen, "unwager", state.seat, state.wager);
  const chips = breakDown(state.cents, local.settings.chips);
  return {
    prompt: { situation: `Seat ${state.seat}, ${nameOf(state.wager).toLowerCase()} ${state.wager === "insurance" ? "" : "wager"}`.trim() + ".", order: `Tap chips: ${shortMoney(state.cents)}`, clause: screen.prompt.clause },
    strip: null,
    zone: {
      kind: "amounts",
      seats: screen.seats.map((seat) => ({ label: String(seat.seat), note: seat.in_play ? shortMoney(seat.main_cents) : "no bet", chosen: seat.seat === state.seat, ghost: !seat.in_play, narrow: shortMoney(seat.main_cents).length > 7,
        act: offerOf(screen, { ...state, seat: seat.seat }) || wordOf(screen, state) === "wager" ? { page: { seat: seat.seat } } : null })),
      tabs: tabs(screen, state, wagers),
      chips: local.settings.chips.slice(0, 5).map((chip) => ({ value: chipValue(chip.cents), colour: chip.colour, act: { page: { add: chip.cents } } })),
      readout: { text: shortMoney(state.cents), chips: chips.chips.slice(0, 3), note: range },
      keys: [{ label: "As last", note: last === null ? "" : shortMoney(last), act: last === null ? null : { page: { cents: last } } }, { label: "Clear", note: "", act: { page: { cents: 0 } } }],
    },
    tools: [{ id: "back", icon: "left", label: "Back", act: { close: true }, span: 2 }, { id: "undo", icon: "undo", label: "Undo", act: offersOf(screen, "undo").length ? say("undo") : null }],
    slots: fill([offer?.amount_optional ? key("A", "Chips", "not known", { ...say(words(screen, state, null)), pageStep: { wrote: true, then } }) : well("A"),
      out ? key("B", "No bet", state.wager === "main" ? "box out" : "taken back", { ...say(`unwager ${state.seat} ${state.wager}`), pageStep: { wrote: true, then } }) : well("B"),
      ready ? amber(`Seat ${state.seat}: ${shortMoney(state.cents)}`, then ? `next: seat ${then}` : "write it", { ...say(words(screen, state, state.cents)), pageStep: { wrote: true, then } }, { pageKey: true })
        : well("D", 2, `Seat ${state.seat}`, range)]),
  };
}

const tabsOf = (screen, seat) => {
  const offered = offersOf(screen, "wager").filter((offer) => offer.seats?.includes(seat)).map((offer) => offer.wager);
  return [...new Set(["main", ...offered])];
};

// Three tabs fit; with more wagers the last one leads on.
function tabs(screen, state, wagers) {
  const tab = (wager) => {
    const cents = stakeOf(screen, { ...state, wager });
    const lamp = screen.seats.find((seat) => seat.seat === state.seat)?.lamps.find((each) => each.wager === wager);
    return { label: nameOf(wager), note: lamp ? `sensor: ${lamp.state}` : cents ? shortMoney(cents) : "no amount", chosen: wager === state.wager, act: { page: { wager } } };
  };
  if (wagers.length <= TABS) return wagers.map(tab);
  const from = state.from % wagers.length;
  const shown = [...wagers, ...wagers].slice(from, from + TABS - 1);
  return [...shown.map(tab), { label: "More wagers", note: plural(wagers.length - TABS + 1, "more", "more"), act: { page: { from: from + TABS - 1 } } }];
}

export function step(screen, state, act) {
  if (act.wrote) return act.then ? { state: fresh(screen, { ...state, seat: act.then }) } : { close: true };
  if (act.add !== undefined) return { state: { ...state, cents: state.cents + act.add } };
  if (act.cents !== undefined) return { state: { ...state, cents: act.cents } };
  return { state: act.from !== undefined ? { ...state, ...act } : fresh(screen, { ...state, ...act }) };
}
