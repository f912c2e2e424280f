// Counts taps: a robot with seven boxes plays thousands of rounds by the page's own keys, on the real controller. Prints a
// table and fails where a budget is broken.
//
//     node taps.mjs PAGE_TABLE [ROUNDS]

import { actionOf, opened, pageTable, shown } from "./table.mjs";
import { PAGES } from "../../crates/dealer-screen/assets/core/pages.js";

const [program, rounds = process.env.HOLECARD_LONG ? "1000" : "120"] = process.argv.slice(2);
const table = pageTable(program);
const BOXES = [1, 2, 3, 4, 5, 6, 7];
const STEPS_MAX = 400;
const rows = [];
let failed = false;

// One number after the other, the same each time.
function dice(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

// How a table is played: who says which boxes are in play, who locks, and where the cards come from.
const WAYS = {
  touch: { devices: "no-sensors", lock: "tap", tracking: "cards" },
  // The first card locks the table too (reading X2).
  card: { devices: "no-sensors", lock: "card", tracking: "cards" },
  button: { devices: "no-sensors", lock: "button", tracking: "cards" },
  sensors: { devices: "all", lock: "button", tracking: "cards" },
  // A wager on the first cards at every box, and insurance at every other one. The chips are told by nobody's tap.
  wagers: { devices: "no-sensors", lock: "button", tracking: "cards", side: true },
  procedure: { devices: "reader", lock: "tap", tracking: "procedure" },
  tapped: { devices: "none", lock: "tap", tracking: "cards" },
};

const FIRST_CARD_LINES = (screen) => screen.lines.some((line) => !line.confirmed && line.wager !== "main" && line.wager !== "insurance");
const INSURANCE_LINES = (screen) => screen.lines.some((line) => !line.confirmed && line.wager === "insurance");

// A wager that is settled on the first cards, and its smallest amount.
const FIRST_CARDS = { blackjack: "lucky-lucky", "spanish-21": "match-the-dealer", "pontoon-21": "match-super-bonus", "players-edge-21": "match-up" };

async function play(game, way, count, roll) {
  const { devices, lock, tracking, side } = WAYS[way];
  const rules = side ? `${game}-all-wagers` : game;
  let { screen } = await table.ask({ start: { rules, with: [], tracking, devices, seed: 7 } });
  const run = { taps: 0, cards: 0, cardTaps: 0, toLock: null, firstCards: false, insurance: false, decided: 0, bust: 0, holds: 0, steps: 0, insured: 0, between: 0 };
  const all = [];
  const fresh = () => Object.assign(run, { taps: 0, trace: [], cards: 0, cardTaps: 0, toLock: null, firstCards: false, insurance: false, decided: 0, bust: 0, holds: 0, steps: 0, insured: 0, between: 0, split: false, irregular: false });
  const ask = async (asked) => {
    const told = await table.ask(asked);
    if (told.refused) throw new Error(`${rules} ${way}: ${JSON.stringify(asked)} was refused at "${screen.prompt.long}": ${told.refused.reason}`);
    screen = told.screen;
  };
  const tap = async (act) => {
    run.taps += 1;
    run.trace = [...(run.trace ?? []), `${screen.stage}: ${screen.prompt.text}: ${JSON.stringify(actionOf(act).words ?? actionOf(act).do)}`];
    await ask({ act: actionOf(act) });
  };
  const device = (word) => ask({ device: word });

  // One thing that a dealer does now.
  async function step() {
    const built = shown(screen);
    const slot = (id) => built.slots.find((each) => each.id === id);
    const word = (name) => built.slots.find((each) => each.word === name && each.act);
    const amber = slot("amber");
    const offered = (name) => screen.prompt.offers.some((offer) => offer.word === name);
    const waits = built.slots.find((each) => each.kind === "wait");
    if (screen.stage === "wagering" && !screen.prompt.wanted && screen.stops.length === 0) return wagering(amber);
    if (offered("shuffle") && waits) return device("shuffle");
    if (["closed", "preparing"].includes(screen.stage)) {
      if (!amber) return device("draw");
      run.between += 1;
      return ask({ act: actionOf(amber.act) });
    }
    if (FIRST_CARD_LINES(screen) && screen.stage !== "settlement") run.firstCards = true;
    if (INSURANCE_LINES(screen)) run.insurance = true;
    if (screen.seats.some((seat) => seat.hands.length > 1)) run.split = true;
    const all_ = slot("all-lines");
    if (all_) {
      run.holds += 1;
      return tap(all_.hold);
    }
    const bust = screen.lines.find((line) => !line.confirmed && line.line === "bust");
    if (bust && screen.stage === "decisions" && offered("card") && way !== "tapped" && screen.seats.some((seat) => seat.hands.some((hand) => hand.turn))) {
      run.bust += 1;
      const turn = screen.seats.flatMap((seat) => seat.hands).find((hand) => hand.turn);
      // The next seat's card says that the bust is taken; whoever stands has to be asked anyway.
      if (turn.total < 12) return device("draw");
      if (word("stand")) return tap(word("stand").act);
    }
    if (word("stand")) return decide(word);
    if (waits?.icon === "reader") {
      const insures = side && built.zone.seats?.find((seat) => seat.seat % 2 && /^insure/.test(seat.act?.send?.words ?? ""));
      if (!insures) return device("insert");
      run.insured += 1;
      return tap(insures.act);
    }
    if (waits?.icon === "shoe") return device("draw");
    const page = built.page;
    if (page === "cards") return card(built);
    if (page === "procedure" && built.zone.keys) return tap(built.zone.keys[roll(built.zone.keys.length)].act);
    if (amber?.act?.open) return throughPage(amber);
    if (amber) return tap(amber.act);
    const other = built.slots.filter((each) => each.kind === "key" && each.act && actionOf(each.act));
    if (other.length) return tap(other.at(-1).act);
    throw new Error(`${rules} ${way}: nothing to do at "${screen.prompt.long}"`);
  }

  async function wagering(amber) {
    const boxes = screen.seats.filter((seat) => seat.in_play).length;
    if (way === "sensors") {
      if (boxes === 0) await device("chips");
      run.toLock = run.taps;
      return device("lock-out");
    }
    if (boxes === 0 && amber?.label === "Same boxes") return tap(amber.act);
    if (boxes < BOXES.length) {
      for (const seat of BOXES.slice(boxes)) await tap({ toggle: { seat, to: "in" } });
      return undefined;
    }
    if (side && !screen.seats[0].side.length) {
      for (const seat of BOXES) await ask({ act: { do: "play", words: `wager ${seat} ${FIRST_CARDS[game]} 5` } });
    }
    if (lock === "tap") {
      await tap(amber.act);
      run.toLock = run.taps;
      return undefined;
    }
    run.toLock = run.taps;
    return device(lock === "card" ? "draw" : "lock-out");
  }

  async function decide(word) {
    const hand = screen.seats.flatMap((seat) => seat.hands).find((each) => each.turn);
    const up = screen.dealer.cards[0]?.[0] ?? "7";
    const strong = "789TJQKA".includes(up);
    const hits = hand.total !== null && (hand.total < 12 || (hand.total < 17 && strong) || (hand.soft && hand.total < 18));
    if (word("hit") && hits) return way === "tapped" ? card(null) : device("draw");
    if (hand.total === 11 && word("double") && roll(4) === 0) {
      run.decided += 1;
      return tap(word("double").act);
    }
    run.decided += 1;
    return tap(word("stand").act);
  }

  // Two taps a card: rank, then suit; a side of the shoe before them where there are two.
  async function card(built) {
    const page = built?.page === "cards" ? { name: "cards", state: PAGES.cards.open(screen, {}) } : opened(screen, { open: "cards", word: "card" });
    const first = shown(screen, { page });
    const ranks = first.zone.keys.filter((key) => !key.words);
    // The hole card is the one that the reader said no of.
    const rank = screen.prompt.offers.some((offer) => offer.word === "reveal") ? ranks.find((key) => key.label === "7") : ranks[roll(ranks.length)];
    let { state } = PAGES.cards.step(screen, page.state, rank.act.page);
    const side = first.zone.keys.find((key) => key.words);
    if (side) ({ state } = PAGES.cards.step(screen, state, side.act.page));
    const second = shown(screen, { page: { name: "cards", state } });
    const suits = second.slots.filter((slot) => slot.tone === "suit");
    // A hit is asked for first: the pad opens by a tap on Hit.
    const presses = (built?.page === "cards" ? 0 : 1) + (side ? 1 : 0) + 1;
    run.cards += 1;
    run.taps += presses;
    run.cardTaps = Math.max(run.cardTaps, presses + 1 - (built?.page === "cards" ? 0 : 1));
    return tap(suits[roll(suits.length)].act);
  }

  // A page that asks for one thing more: its first tile, or its amber.
  async function throughPage(amber) {
    run.irregular = true;
    const page = opened(screen, amber.act);
    let built = shown(screen, { page });
    const direct = [...(built.zone.tiles ?? []), ...built.slots].find((each) => each.act && actionOf(each.act));
    run.taps += 1;
    if (direct) return tap(direct.act);
    const chip = built.zone.chips?.at(-1);
    if (chip) {
      built = shown(screen, { page: { name: page.name, state: PAGES[page.name].step(screen, page.state, chip.act.page).state } });
      const write = built.slots.find((each) => each.id === "amber");
      if (write) return tap(write.act);
    }
    throw new Error(`${rules} ${way}: no way through "${amber.label}" at "${screen.prompt.long}"`);
  }

  while (all.length < count) {
    const before = screen.day.rounds;
    await step();
    run.steps += 1;
    if (run.steps > STEPS_MAX) throw new Error(`${rules} ${way}: the round does not end: ${screen.prompt.long}\n${run.trace.slice(-8).join("\n")}`);
    if (screen.day.rounds > before) {
      all.push({ ...run });
      fresh();
    }
  }
  // The first round has no boxes to repeat and the opening before it.
  return all.slice(1);
}

const most = (all, of) => all.reduce((top, each) => Math.max(top, of(each)), 0);
const mean = (all, of) => all.reduce((sum, each) => sum + of(each), 0) / Math.max(all.length, 1);

function row(what, budget, all, of, within = (top) => top <= budget) {
  const [top, average] = [most(all, of), mean(all, of)];
  const ok = all.length > 0 && within(top);
  failed ||= !ok;
  if (!ok) console.error(`${what}:\n  ${all.find((each) => of(each) === top)?.trace.join("\n  ")}`);
  rows.push([what, all.length, budget, top, average.toFixed(1), ok ? "ok" : "OVER"]);
}

const count = Number(rounds);
const roll = dice(11);
const GAMES = ["blackjack", "spanish-21", "pontoon-21", "players-edge-21"];
const hands = BOXES.length;
for (const game of GAMES) {
  const plain = (all) => all.filter((each) => !each.split && !each.irregular);
  // A double is one tap like any decision; what first-card wagers and lost insurance add is taken off.
  const extra = (each) => each.taps - (each.firstCards ? 1 : 0) - (each.insurance ? 1 : 0);
  const touch = plain(await play(game, "touch", count + 1, roll));
  row(`${game}: unchanged bets to the lock`, 2, touch, (each) => each.toLock);
  row(`${game}: a round, lock by touch (hands + 4)`, hands + 4, touch, extra);
  const card = plain(await play(game, "card", count + 1, roll));
  row(`${game}: a round, the first card locks (hands + 3)`, hands + 3, card, extra);
  const button = plain(await play(game, "button", count + 1, roll));
  row(`${game}: unchanged bets, lock-out button`, 1, button, (each) => each.toLock);
  row(`${game}: a round, lock-out button (hands + 3)`, hands + 3, button, extra);
  const wagers = plain(await play(game, "wagers", count + 1, roll));
  const lost = wagers.filter((each) => each.insurance);
  row(`${game}: with wagers on the first cards (hands + 4)`, hands + 4, wagers.filter((each) => each.firstCards && !each.insured), (each) => each.taps);
  row(`${game}: and insurance lost (hands + 5, 1 each insured)`, hands + 5, lost, (each) => each.taps - each.insured);
  const sensors = plain(await play(game, "sensors", Math.ceil(count / 4) + 1, roll));
  row(`${game}: sensors at every box, to the lock`, 0, sensors, (each) => each.toLock);
  row(`${game}: a round, sensors at every box (hands + 2)`, hands + 2, sensors, extra);
  const procedure = await play(game, "procedure", count + 1, roll);
  row(`${game}: a round in procedure`, 5, procedure, (each) => each.taps);
  const tapped = plain(await play(game, "tapped", Math.ceil(count / 4) + 1, roll));
  row(`${game}: a card tapped in, rank and suit`, 2, tapped.filter((each) => each.cards), (each) => each.cardTaps);
}
await table.stop();

const width = Math.max(...rows.map(([what]) => what.length));
console.log(`${"what".padEnd(width)}  rounds  budget  most  mean`);
for (const [what, played, budget, top, average, verdict] of rows) console.log(`${what.padEnd(width)}  ${String(played).padStart(6)}  ${String(budget).padStart(6)}  ${String(top).padStart(4)}  ${average.padStart(4)}  ${verdict}`);
if (failed) process.exit(1);
console.log(`ok taps: ${rows.reduce((sum, [, played]) => sum + played, 0)} rounds counted`);
