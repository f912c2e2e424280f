// The table's day before the first card: decks, inspection of the cards, shuffle, cut, cover card, shoe.

import { amber, key, wait, wide } from "./keys.js";
import { deviceUp, offer, offers, say } from "./offers.js";
import { title } from "./text.js";

const who = (value) => {
  const [by, depth] = value.split(" ");
  return { by, depth, name: by === "dealer" ? "Dealer cuts" : `Seat ${by} cuts` };
};

export function preparing(screen) {
  const wanted = screen.prompt.wanted;
  const has = (word) => (screen.stage !== "wagering" || wanted === word) && offers(screen, word);
  // Something stops the day: what, the order says; the floor removes it first.
  if (has("open") && screen.stops.length) return [amber("Floor is here", "number and PIN", { open: "floor" }, { icon: "badge" })];
  if (has("open")) return [amber("Open the table", "the day begins", say("open"), { icon: "check" })];
  if (has("decks")) {
    const count = offer(screen, "decks").values[0];
    return [wide("B", `${count} decks`, "not yet inspected", say(`decks ${count}`)), amber(`${count} decks`, "preinspected", say(`decks ${count} preinspected`), { icon: "check" })];
  }
  if (has("inspect")) return inspect(offer(screen, "inspect").values);
  if (has("spread")) return [amber("Spread", "all face up", say("spread"), { icon: "check" })];
  if (has("wash")) return [amber("Washed", "and stacked", say("wash"), { icon: "check" })];
  if (has("shuffle")) return shuffle(screen);
  if (has("cut") || has("cut refuse")) return cut(screen);
  if (has("place")) {
    const [least, most] = offer(screen, "place").values;
    return [key("C", "Other", "number", { open: "number", what: "place", least: Number(least), most: Number(most), start: Number(least) }),
      amber("Cover is in", `${least} from the bottom`, say(`place ${least}`), { icon: "check" })];
  }
  if (has("load")) return [amber("Loaded", "ready to deal", say("load"), { icon: "check" })];
  return null;
}

function inspect(values) {
  const [first, ...rest] = values;
  const keyOf = (value) => {
    const [word, number] = value.split(" ");
    if (word === "tens") return ["Tens out", "how many?", { open: "number", what: "inspect tens", least: 0, most: 200, start: Number(number) }];
    if (word === "player") return [`Seat ${number}`, "has inspected", say(`inspect ${value}`)];
    return [title(word), "has inspected", say(`inspect ${value}`)];
  };
  return [...rest.slice(0, 3).map((value, at) => key("ABC"[at], ...keyOf(value))), amber(...keyOf(first), { icon: "check" })];
}

// A machine says by itself when it is done.
function shuffle(screen) {
  const values = offer(screen, "shuffle").values;
  const labels = { "by-hand": ["Shuffled", "by hand"], device: ["Shuffled", "by the machine"], jam: ["Machine jams", "call Floor"] };
  if (values.includes("device") && deviceUp(screen, "shuffler")) {
    const others = values.filter((value) => value !== "device").slice(0, 2);
    return [...others.map((value, at) => key("AB"[at], ...labels[value], say(`shuffle ${value}`))), wait("Shuffler next", "no tap needed", "shuffle", "C")];
  }
  const [first, ...rest] = values;
  return [...rest.slice(0, 3).map((value, at) => key("ABC"[at], ...labels[value], say(`shuffle ${value}`))), amber(...labels[first], say(`shuffle ${first}`), { icon: "check" })];
}

function cut(screen) {
  const [refuse, cuts] = [offer(screen, "cut refuse"), offer(screen, "cut")];
  const slots = [];
  if (refuse) slots.push(key("C", "Declines", `seat ${refuse.seats[0]}`, say(`cut refuse ${refuse.seats[0]}`)));
  if (!cuts) return slots;
  const all = cuts.values.map(who);
  const first = all.find((each) => each.by !== "dealer") ?? all[0];
  const other = all.find((each) => each !== first);
  slots.push(key("A", "Other", "person", { open: "choose", word: "cut" }));
  if (other) slots.push(key("B", other.name, `${other.depth} deep`, say(`cut ${other.by} ${other.depth}`)));
  slots.push(amber(first.name, `${first.depth} deep`, say(`cut ${first.by} ${first.depth}`), { icon: "check" }));
  return slots;
}
