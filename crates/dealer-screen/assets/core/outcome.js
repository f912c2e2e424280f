// What would follow from an irregularity, as numbered steps: what is said of hands and cards, what becomes of each wager,
// what each answer leads to, and the order after it.

import { deed } from "./lines.js";
import { money } from "./money.js";
import { clauseId, plural, wagerName } from "./text.js";

// So many lines of so many letters there are in the zone of the smallest panel.
const LINES = 9;
const LETTERS = 48;
const linesOf = (text) => Math.ceil(text.length / LETTERS);
const VERBS = { PAY: "is paid", TAKE: "is taken", LEAVE: "goes back", HALF: "goes back by half" };
// A stake that goes back lies on the felt already; a dead or void one is returned whole.
const verb = (line) => (["dead", "void"].includes(line.outcome) ? "goes back" : VERBS[deed(line).word]);

// One wager in full; several that end alike by their seats.
export function wagers(lines) {
  const groups = new Map();
  for (const line of lines) groups.set(verb(line), [...(groups.get(verb(line)) ?? []), line]);
  return [...groups].map(([what, all]) => {
    if (all.length === 1) {
      const [line] = all;
      const cents = what === "is paid" ? line.pays_cents : what === "goes back" ? line.returned_cents : line.stake_cents;
      return `Seat ${line.position}, ${line.wager === "main" ? "main bet" : wagerName(line.wager)}${cents === null || cents === undefined ? "" : ` ${money(cents)}`}: ${what}.`;
    }
    const seats = [...new Set(all.map((line) => line.position))].sort((one, other) => one - other);
    const plurals = { "is paid": "are paid", "is taken": "are taken", "goes back": "go back", "goes back by half": "go back by half" };
    return `${plural(all.length, "bet")} ${plurals[what]}: ${seats.length === 1 ? "seat" : "seats"} ${seats.join(", ")}.`;
  });
}

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
const said = (list) => list.map(({ text, clause }) => `${sentence(text)} ${clauseId(clause)}`);
const ANSWERS = { accept: "takes it", refuse: "refuses" };

function answer({ words, said: told, lines }) {
  const [verb, seat] = words.split(" ");
  const then = [...told.map((each) => sentence(each.text)), ...wagers(lines)];
  return `Seat ${seat} ${ANSWERS[verb] ?? verb}: ${then[0] ? then[0].charAt(0).toLowerCase() + then[0].slice(1) : "play goes on."}`;
}

// `told`: undefined while it is asked for, null where the table does not tell.
export function outcome(told, what) {
  const first = [{ text: `${what.title} ${what.note}.`, state: "now" }];
  if (told === undefined) return [...first, { text: "The table works out what follows.", state: "open" }];
  if (told === null) return [...first, { text: what.paraphrase ?? "The table says what follows.", state: "open" }];
  const steps = [...said(told.said), ...wagers(told.lines), ...(told.answers ?? []).map(answer)];
  const then = `Then: ${told.situation} ${told.text}`;
  const shown = [];
  let left = LINES - linesOf(then);
  for (const [at, text] of steps.entries()) {
    // The last line says how many did not fit; each of them is told when it is done.
    if (linesOf(text) > left - (at < steps.length - 1 ? 1 : 0)) {
      shown.push(`And ${plural(steps.length - at, "more step")}, told one by one.`);
      break;
    }
    shown.push(text);
    left -= linesOf(text);
  }
  return [...shown.map((text, at) => ({ text, state: at === 0 ? "now" : "open" })), { text: then, state: shown.length ? "open" : "now" }];
}
