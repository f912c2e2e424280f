// The film of a settled round: one frame for each thing that happened, with the table as it stood then.

import { cardSigns } from "./cards.js";
import { deed } from "./lines.js";
import { shortMoney } from "./money.js";
import { title } from "./text.js";

// Between two rounds the last one is settled; while one is played, the one before it.
export const betweenRounds = (screen) => ["wagering", "closed", "preparing"].includes(screen.stage);
export const lastSettled = (screen) => (betweenRounds(screen) ? screen.round : screen.round - 1);

// What a meter does at every wager is no frame.
const NO_FRAME = ["meter-fed", "meter-read", "meter-seeded", "step-done"];
const SAID_MAX = 32;

const placeOf = (to) => (to === "dealer" || to === "hole-card" ? "D" : String(to?.position ?? ""));
const nameOf = (place) => (place === "D" ? "dealer" : place ? `seat ${place}` : "table");
const READER = { yes: "Blackjack", no: "No blackjack", unread: "Not read" };
const ICONS = { "wager-placed": "chip", "wager-removed": "chip", "late-wager": "warning", "wagers-locked": "lock", "insurance-placed": "shield", "insurance-closed": "shield", "reader-answered": "reader", "reader-stopped": "reader", "reader-wrong": "reader",
  acted: "hand", "dealer-stands": "hand", irregularity: "warning", undone: "undo", corrected: "undo", approved: "badge", rejected: "cross", "dealer-changed": "swap", "round-void": "void", "line-confirmed": "chip", "meter-paid": "gauge", burnt: "card", "cover-card-appeared": "card" };

// Picture, word and place of one event.
function shot(event, lines) {
  const at = event.position === undefined || event.position === null ? "" : String(event.position);
  switch (event.kind) {
    case "card-dealt": {
      const place = placeOf(event.to);
      if (event.card === "?") return { card: "?", what: "Face down", place, said: `${title(nameOf(place))}: a card, face down.` };
      const bust = event.total > 21;
      return { card: event.card, what: bust ? `${event.total}, bust` : `Has ${event.total}`, place, said: `${title(nameOf(place)).replace("-", " ")} drew ${cardSigns(event.card)}: ${event.total}${bust ? ", bust" : ""}.` };
    }
    case "hole-card-revealed": return { card: event.card, what: `Has ${event.total}`, place: "D", said: `Hole card ${cardSigns(event.card)}: ${event.total}.` };
    case "card-turned": return { card: event.card, what: "Turned", place: at, said: `Seat ${at} turned ${cardSigns(event.card)}.` };
    case "acted": return { what: title(event.action), place: at };
    case "reader-answered": return { what: READER[event.answer] ?? event.answer, place: "", said: `Reader: ${(READER[event.answer] ?? event.answer).toLowerCase()}.` };
    case "dealer-stands": return { what: `Stands: ${event.total}`, place: "D" };
    case "wager-placed": return { what: event.amount_cents === null ? "In play" : shortMoney(event.amount_cents), place: at };
    case "insurance-placed": return { what: "Insured", place: at };
    case "wagers-locked": return { what: "Locked", place: "", said: "No more bets." };
    case "line-confirmed": {
      const line = lines.find((each) => each.position === event.position && each.hand === event.hand && each.wager === event.wager);
      if (!line) return { what: "Line done", place: at };
      const { word, cents } = deed(line);
      const verb = { PAY: "Paid", TAKE: "Took", LEAVE: "Left", HALF: "Halved" }[word];
      return { what: `${verb} ${cents === null ? "chips" : shortMoney(cents)}`, place: at, said: `Seat ${at}: ${verb.toLowerCase()} ${cents === null ? "chips" : shortMoney(cents)}.` };
    }
    case "round-ended": return { what: "Round over", place: "", said: "Round over: cards away." };
    default: return { what: title(event.kind).replace(/^(.)(.*)$/, (all, first, rest) => first + rest.toLowerCase()), place: at };
  }
}

// How the table changed by it: total and word of one place.
function change(table, event) {
  const set = (place, more) => ({ ...table, [place]: { total: "–", word: "", ...table[place], ...more } });
  const place = event.kind === "card-dealt" ? placeOf(event.to) : event.kind === "hole-card-revealed" ? "D" : String(event.position ?? "");
  switch (event.kind) {
    case "wager-placed": return event.wager === "main" ? set(place, { word: "in play" }) : table;
    case "card-dealt":
      if (event.card === "?") return set(place, { word: place === "D" ? "sealed" : "face down" });
      return set(place, { total: String(event.total), bust: event.total > 21, word: event.total > 21 ? "bust" : place === "D" ? table.D?.word ?? "" : "" });
    case "hole-card-revealed": return set("D", { total: String(event.total), bust: event.total > 21, word: "revealed" });
    case "dealer-stands": return set("D", { total: String(event.total), word: "stands" });
    case "acted": return set(place, { word: { stand: "stood", double: "doubled", split: "split", surrender: "surrendered" }[event.action] ?? event.action });
    case "blackjack-announced": return set(place, { word: "blackjack" });
    case "line-confirmed": return event.wager === "main" ? set(place, { word: "settled" }) : table;
    default: return table;
  }
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export function film(records) {
  const lines = records.flatMap((record) => record.events.flatMap((each) => (each.settled ? [each.settled] : [])));
  const frames = [];
  let table = {};
  for (const record of records) {
    for (const { event } of record.events) {
      if (!event || NO_FRAME.includes(event.kind)) continue;
      table = change(table, event);
      const { card = null, what, place, said } = shot(event, lines);
      const told = said ?? (event.text ? capital(event.text) : what);
      const places = Object.keys(table).sort((one, other) => (one === "D") - (other === "D") || Number(one) - Number(other));
      const by = record.person ? String(record.person) : "device";
      frames.push({
        ms: record.wall_us / 1000, card, icon: ICONS[event.kind] ?? "table", what, who: nameOf(place), said: told.length <= SAID_MAX ? told : `${what}, ${nameOf(place)}.`,
        table: [...places.map((each) => ({ name: each, total: table[each].total, word: table[each].word, bust: Boolean(table[each].bust), now: each === place })), { name: "said by", total: by, word: "" }],
      });
    }
  }
  return frames;
}
