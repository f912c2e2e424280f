// A progressive win that is being verified, on one page: the hand as dealt, the lamp, the meter, the line of the clause, who
// has looked and who has signed, and what the player is told. The dealer's two looks and the floor's signatures use it.

import { face } from "../core/cards.js";
import { amber, fill, well, wide } from "../core/keys.js";
import { openLine } from "../core/lines.js";
import { money } from "../core/money.js";
import { offer, say } from "../core/offers.js";
import { may } from "../core/signing.js";
import { clauseId, gameName, lineName, wagerName } from "../core/text.js";
import { floorPages, ofVisit, timeOf } from "../core/visits.js";

export const isDue = (screen) => Boolean(screen.verifying);
export const open = () => ({});
// What the meter starts again with is on the players' sign.
export const wants = () => ["/api/v1/players"];

const TELL = "Tell the player: “Your win is being checked. Please leave cards and chips.”";

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const seen = (ms) => (ms === null ? "not yet" : timeOf(ms, true));

// Few cards stand in one row, each with its place; many in two, the seat's over the dealer's.
const IN_ONE_ROW = 5;
const IN_A_ROW = 8;

function hand(screen, { first_cards: first, seat, hand_seen_ms }, line) {
  const order = ["1st", "2nd", "3rd", "4th"];
  const own = first.map((card, at) => ({ ...face(card), about: `${seat}: ${order[at]}` }));
  const dealer = screen.dealer.cards.map((card, at) => ({ ...face(card), about: at === 0 ? "up" : at === 1 ? "turned" : "drawn" }));
  const few = own.length + dealer.length <= IN_ONE_ROW;
  const rows = few ? [] : [[`Seat ${seat}`, own], ["Dealer", dealer]].map(([label, cards]) => ({ label, cards: cards.slice(0, IN_A_ROW).map(({ about, ...each }) => each) }));
  return {
    title: "The hand, as dealt", cards: few ? [...own, ...dealer] : [], rows, none: own.length + dealer.length ? null : "Cards are not followed here: look at the felt.",
    name: sentence(lineName(line.line)), pays: line.odds ? `pays ${line.odds}` : null, seen: `${clauseId(line.clause)} · hand seen: ${seen(hand_seen_ms)}`,
  };
}

const LAMPS = { accepted: ["● lit", "ok"], late: ["▲ late", "stop"], placed: ["● chip in", null], invited: ["○ dark", "stop"], dark: ["○ dark", "stop"] };

function lamp(screen, { seat, wager, locked_ms, lamp_seen_ms }) {
  const lit = screen.seats.find((each) => each.seat === seat)?.lamps.find((each) => each.wager === wager);
  const [word, tone] = lit ? LAMPS[lit.state] : ["none here", null];
  return { title: `Lamp, seat ${seat}`, word, tone, rows: [["Bets locked", seen(locked_ms)], ["Lamp seen", seen(lamp_seen_ms)]] };
}

function meter(screen, line, told) {
  const all = screen.meters.filter((each) => each.wager === line.wager);
  const one = all.find((each) => each.amount_cents === line.pays_cents) ?? all[0];
  if (!one) return { title: wagerName(line.wager), word: "", tone: null, amount: money(line.pays_cents), rows: [] };
  const shown = told?.meters?.find((each) => each.wager === one.wager && each.meter === one.meter);
  return {
    title: "Meter", word: one.balanced ? "✓ balances" : "✕ off balance", tone: one.balanced ? "ok" : "stop", amount: money(one.amount_cents),
    rows: [["This win", money(line.pays_cents)], ...(shown ? [["Restarts at", money(shown.restart_cents)]] : [])],
  };
}

// Who has signed, who is next, who may not.
function boxes({ step, approved_by: first, approved_ms }, line) {
  const two = line.approval === "floor and a second person";
  const one = first !== null ? { tone: "done", about: "✓ 1 · approved", name: `Number ${first}`, lines: [timeOf(approved_ms, true)] }
    : { tone: step === "floor" ? "now" : "later", about: step === "floor" ? "▸ 1 · waiting" : "1 · then", name: "Floorperson", lines: ["signs with a PIN"] };
  if (!two) return [one];
  return [one, { tone: step === "second" ? "now" : "later", about: step === "second" ? "▸ 2 · waiting" : "2 · then", name: "Second person", lines: [first === null ? "floor or manager" : `not ${first}`] }];
}

// A visitor approves what is theirs; the looks are the dealer's.
function main(screen, local, { step }, line) {
  const two = line.approval === "floor and a second person";
  const [word, number] = step === "second" ? ["manager approve", 2] : ["floor approve", 1];
  if (step === "hand" || step === "lamp") {
    const [label, note] = step === "hand" ? ["Hand seen", "it is the winner"] : ["Lamp lit", "and it is this one"];
    return local.visit ? well("D", 2, "The dealer looks", "hand, then lamp") : amber(label, note, say("next"), { icon: "check" });
  }
  if (!offer(screen, word) || (local.visit && !may(local.visit, "floor approve"))) return well("D", 2, "Approve", "floor or manager");
  return amber("Approve", two ? `PIN: person ${number} of 2` : "floorperson: PIN", say(word), { icon: "badge" });
}

function reject(screen, local) {
  if (!offer(screen, "reject") || (local.visit && !may(local.visit, "reject"))) return [];
  return [wide("A", "Reject", "hold: two people", null, { hold: { open: "reasons", of: "reject" }, ticks: true, tone: "stop", id: "reject" })];
}

export function view(screen, state, local) {
  const { verifying } = screen;
  const open = openLine(screen);
  if (!verifying || !open) return ofVisit(screen, local, "jackpot", "Nothing is being verified.", { zone: { kind: "sheet", panels: [{ title: "✓ Nothing waits", tone: "ok", rows: [] }] } });
  const { line } = open;
  const zone = { kind: "jackpot", hand: hand(screen, verifying, line), lamp: lamp(screen, verifying), meter: meter(screen, line, local.read?.["/api/v1/players"]), boxes: boxes(verifying, line), tell: TELL };
  const slots = [...reject(screen, local), main(screen, local, verifying, line)];
  const pending = { tone: "act", cells: [{ text: `JACKPOT PENDING · ${screen.table}`, strong: true }, { text: `${gameName(screen.game)} · round ${screen.round}` }], end: { text: "table held" } };
  if (local.visit) return { ...ofVisit(screen, local, `seat ${verifying.seat} jackpot`, screen.prompt.text, { zone, tools: [floorPages], slots }), strip: local.refused || local.dropped ? undefined : pending };
  return { strip: local.refused || local.dropped || local.gone || local.saving ? undefined : pending, zone, slots: fill(slots) };
}

export const step = (screen, state) => ({ state });
