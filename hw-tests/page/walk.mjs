// Walks every prompt of the scenarios, of storms and of whole days of each game and variation, and presses on a copy of the
// table whatever the dealer's page offers there: amber is always taken, or there is none and the page says which device acts
// or who has to come; and no other key is refused either.
//
//     node walk.mjs PAGE_TABLE ROOT

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PAGES } from "../../crates/dealer-screen/assets/core/pages.js";
import { actionOf, keysOf, opened, pageTable, shown } from "./table.mjs";

const [program, root] = process.argv.slice(2);
const long = Boolean(process.env.HOLECARD_LONG);
const GAMES = ["blackjack", "spanish-21", "pontoon-21", "players-edge-21"];
const table = pageTable(program);
const problems = new Map();
const tally = { screens: 0, amber: 0, device: 0, person: 0, choice: 0, keys: 0, toTheRightOne: 0, toTheOutcome: 0 };

const wrong = (what, where) => problems.set(what, [...(problems.get(what) ?? []), where]);
const seen = new Set();

// What the keys depend on: not the amounts, the cards or the count of anything.
function kindOf(screen) {
  const { prompt } = screen;
  const hands = screen.seats.map((seat) => [seat.hands.length > 1, seat.hands.some((hand) => hand.turn)]).filter(([split, turn]) => split || turn);
  return JSON.stringify([screen.game, screen.tracking, screen.mode, screen.stage, prompt.clause, prompt.waits_for, prompt.wanted, prompt.shoe_knows, prompt.offers.map((offer) => [offer.word, Boolean(offer.seats), offer.sides ?? null, offer.face ?? null]),
    hands, screen.devices.map((device) => [device.part, device.up]), screen.stops.length > 0, screen.signed_in !== null, screen.lines.find((line) => !line.confirmed)?.outcome ?? null, screen.inspection?.step ?? null]);
}

// A look at a seat stands in the focus pane, and less than a double is the number pad.
const WITHOUT_PAGE = new Set(["look", "less"]);

// All that the page offers for this screen; `try_` asks the table.
async function look(screen, where, try_, stormy = false) {
  const key = kindOf(screen);
  if (seen.has(key)) return;
  seen.add(key);
  tally.screens += 1;
  const built = shown(screen);
  const keys = keysOf(built);
  const ambers = built.slots.filter((slot) => slot.kind === "key" && slot.tone === "act");
  if (ambers.length > 1) wrong("two amber buttons", where);
  if (built.slots.reduce((sum, slot) => sum + slot.span, 0) !== 5) wrong("the slots do not fill the bar", where);
  const asked = keys.flatMap((each) => [each.act, each.hold].filter(Boolean).map((act) => ({ each, act })));
  // What a key opens is looked at one step further.
  for (const { each, act } of [...asked]) {
    const page = (act.open || act.sign) && opened(screen, act);
    if (act.open && !page && !WITHOUT_PAGE.has(act.open)) wrong(`key "${each.label}" opens nothing: ${act.open}`, where);
    if (page) for (const inner of keysOf(shown(screen, { page }))) for (const deep of [inner.act, inner.hold].filter(Boolean)) asked.push({ each: { ...inner, label: `${each.label} › ${inner.label}`, from: each }, act: deep });
  }
  const tries = asked.map(({ each, act }) => ({ each, act, action: actionOf(act) })).filter(({ action, act }) => action && !act.sign);
  const answers = tries.length ? (await try_(tries.map(({ action }) => action))) : [];
  tally.keys += tries.length;
  tries.forEach(({ each, action }, at) => {
    if (answers[at] !== null) wrong(`${each.id === "amber" ? "AMBER" : "key"} "${each.label}" is refused: ${JSON.stringify(action.words ?? action)}: ${answers[at]}`, where);
  });
  if (!stormy) await irregularities(screen, where, try_);
  const [amber] = ambers;
  if (amber) {
    tally.amber += 1;
    // An amber that opens a page: something on it can be done.
    const page = amber.act?.open && opened(screen, amber.act);
    if (amber.act?.open && !page) wrong(`amber "${amber.label}" opens nothing: ${amber.act.open}`, where);
    if (!actionOf(amber.act) && !amber.act?.open && !amber.act?.page) wrong(`amber "${amber.label}" does nothing`, where);
  } else if (built.slots.some((slot) => slot.kind === "wait")) tally.device += 1;
  else if (keys.some((each) => each.where !== "tool" && each.act)) tally.choice += 1;
  else wrong(`nothing to press and no word who acts: ${screen.stage}: ${screen.prompt.long}`, where);
  if (built.prompt.order.length > 40 || built.prompt.situation.length > 45) wrong(`too long: ${built.prompt.situation} / ${built.prompt.order}`, where);
}

// Something went wrong: every irregularity that the table knows is found within three taps, its outcome within five, and
// told as the wizard tells it the table takes it.
const wizards = new Set();
async function irregularities(screen, where, try_) {
  const offered = screen.prompt.offers.flatMap((offer) => offer.irregularities ?? []);
  const key = JSON.stringify([screen.game, screen.stage, offered]);
  if (offered.length === 0 || wizards.has(key)) return;
  wizards.add(key);
  const { open, step } = PAGES.problem;
  let front = [{ state: open(screen, {}), taps: 1 }];
  const visited = new Set();
  const found = new Map();
  const sends = new Map();
  while (front.length) {
    const further = [];
    for (const { state, taps } of front) {
      const mark = JSON.stringify(state);
      if (visited.has(mark) || taps > 7) continue;
      visited.add(mark);
      if (state.what && !found.has(state.what)) found.set(state.what, taps);
      // One rank and one suit stand for all.
      const keys = keysOf(shown(screen, { page: { name: "problem", state } })).filter((each) => each.where !== "tool");
      for (const { act } of keys.filter((each, at) => !each.act?.page?.rank || keys.findIndex((other) => other.act?.page?.rank) === at)) {
        if (act?.page) further.push({ state: step(screen, state, act.page).state, taps: taps + 1 });
        const words = act?.send?.words;
        if (typeof words === "string" && words.startsWith("irregularity") && !sends.has(words)) sends.set(words, taps + 1);
      }
    }
    front = further;
  }
  for (const { clause } of offered) {
    if (!found.has(clause)) wrong(`irregularity ${clause} cannot be reached`, where);
    else tally.toTheRightOne = Math.max(tally.toTheRightOne, found.get(clause));
    if (found.get(clause) > 3) wrong(`irregularity ${clause} takes ${found.get(clause)} taps`, where);
  }
  // The suit is one tap that the list has not: where a card is asked for, any of it will do.
  const words = [...sends.keys()];
  const answers = words.length ? await try_(words.map((said) => ({ do: "play", words: said }))) : [];
  tally.keys += words.length;
  for (const { clause } of offered) {
    const told = words.map((said, at) => [said, answers[at]]).filter(([said]) => said.split(" ")[1] === clause);
    const taken = told.filter(([, answer]) => answer === null);
    if (taken.length === 0) wrong(`irregularity ${clause} is never taken: ${told[0] ?? "the wizard does not tell it"}`, where);
    else {
      // What follows stands on the page one tap before it is told: that is the outcome, and the last key confirms it.
      const least = Math.min(...taken.map(([said]) => sends.get(said))) - 1;
      tally.toTheOutcome = Math.max(tally.toTheOutcome, least);
      if (least > 5) wrong(`irregularity ${clause} takes ${least} taps to its outcome`, where);
    }
  }
}

const tried = (actions) => table.ask({ try: actions }).then((told) => told.tried);

// One thing that the page's own keys can do, until the table takes wagers.
async function openByAmber(screen, where) {
  let now = screen;
  for (let step = 0; step < 60 && now.stage !== "wagering"; step += 1) {
    await look(now, where, tried);
    const built = shown(now);
    const amber = built.slots.find((slot) => slot.id === "amber");
    const action = actionOf(amber?.act);
    const told = await (action ? table.ask({ act: action }) : table.ask({ device: /uffler/.test(JSON.stringify(built.slots)) ? "shuffle" : "draw" }));
    if (told.refused) {
      wrong(`AMBER "${amber?.label}" is refused while opening: ${told.refused.reason}`, where);
      return null;
    }
    now = told.screen;
  }
  if (now.stage !== "wagering") wrong(`the table does not open: ${now.prompt.long}`, where);
  return now;
}

const NOT_PLAYED = /^(>|-|\?|!|offered\b|not-offered\b|cites\b|#|restart\b)/;

async function scenario(name, round) {
  const where = `${name}: ${round.title}`;
  let screen;
  try {
    ({ screen } = await table.ask({ start: { rules: round.rules, with: round.with, tracking: round.tracking, devices: "none", seed: 1 } }));
  } catch (error) {
    if (/problems/.test(error.message)) return;
    throw error;
  }
  if (!round.closed) screen = await openByAmber(screen, where);
  if (!screen) return;
  await look(screen, where, tried);
  for (const line of round.lines) {
    const told = await table.ask({ act: { do: "play", words: line } });
    if (told.screen) await look(told.screen, `${where}: ${line}`, tried);
  }
}

function rounds(text) {
  const all = [];
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    const [word, ...rest] = line.split(" ");
    const tail = rest.join(" ").trim();
    const round = all.at(-1);
    if (word === "round") all.push({ title: tail, rules: null, with: [], tracking: "cards", closed: false, lines: [] });
    else if (!round || !line || NOT_PLAYED.test(line)) continue;
    else if (word === "rules") round.rules = tail;
    else if (word === "with") round.with.push(tail);
    else if (word === "tracking") round.tracking = tail;
    else if (word === "start") round.closed = true;
    else round.lines.push(line);
  }
  return all.filter((round) => round.rules);
}

const files = (folder) => readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? files(join(folder, entry.name)) : entry.name.endsWith(".round") ? [join(folder, entry.name)] : []));

const scenarios = join(root, "crates/table-rules/tests/scenarios");
let count = 0;
for (const file of files(scenarios).sort()) {
  for (const round of rounds(readFileSync(file, "utf8"))) {
    await scenario(file.slice(scenarios.length + 1), round);
    count += 1;
  }
}
console.log(`ok scenarios: ${count} rounds, ${tally.screens} kinds of screens`);

for (const game of GAMES) {
  for (let seed = 1; seed <= (long ? 40 : 3); seed += 1) {
    let told = await table.ask({ storm: { game, seed, hours: long ? 6 : 3 } });
    while (told.screen) {
      const { screen } = told;
      let answered = false;
      await look(screen, `storm ${game} ${seed}`, async (actions) => {
        answered = true;
        return (await table.ask({ try: actions })).tried;
      }, true);
      if (!answered) await table.ask({ try: [] });
      told = await table.next();
    }
    if (seed === 1) console.log(`ok storm ${game}: ${told.done}`);
  }
}
await table.stop();
console.log(`ok walk: ${tally.screens} kinds of screens: ${tally.amber} with amber, ${tally.device} wait for a device, ${tally.choice} are a choice; ${tally.keys} keys pressed on a copy`);
console.log(`ok irregularities: at most ${tally.toTheRightOne} taps to the right one (budget 3), ${tally.toTheOutcome} to its outcome (budget 5)`);
if (problems.size) {
  for (const [what, where] of [...problems].sort(([, one], [, other]) => other.length - one.length)) console.error(`${what}\n    ${where.length} times, first: ${where[0]}`);
  console.error(`${problems.size} kinds of problems`);
  process.exit(1);
}
