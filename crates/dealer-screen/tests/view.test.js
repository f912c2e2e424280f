// The page's core without a browser: a screen goes in, a view comes out.

import assert from "node:assert/strict";
import { test } from "node:test";
import { view } from "../assets/core/view.js";
import * as screens from "./screens.js";

const { houseSettings } = screens;
const local = (more = {}) => ({ page: null, own: null, look: null, why: false, refused: null, dropped: null, pending: {}, saving: false, gone: false, settings: houseSettings, ...more });
const all = Object.entries(screens).filter(([, screen]) => screen.prompt);
const slot = (built, id) => built.slots.find((each) => each.id === id);
const amber = (built) => built.slots.filter((each) => each.kind === "key" && each.tone === "act");
const words = (act) => act?.send?.words ?? act?.sign?.words ?? null;

test("five slots are always filled, and at most one key is amber", () => {
  for (const [name, screen] of all) {
    const built = view(screen, local());
    assert.equal(built.slots.reduce((sum, each) => sum + each.span, 0), 5, name);
    assert.ok(amber(built).length <= 1, name);
  }
});

test("whatever a slot says is offered by the table", () => {
  for (const [name, screen] of all) {
    const offered = new Set(screen.prompt.offers.map((each) => each.word));
    for (const each of view(screen, local()).slots) {
      for (const act of [each.act, each.hold]) {
        for (const said of [words(act) ?? []].flat()) {
          const known = [...offered].some((word) => said === word || said.startsWith(`${word} `));
          assert.ok(known, `${name}: ${said} is not offered`);
        }
      }
    }
  }
});

test("orders fit their lines", () => {
  for (const [name, screen] of all.filter(([, each]) => !["stopped"].includes(each))) {
    const { situation, order } = view(screen, local()).prompt;
    assert.ok(situation.length <= 36, `${name}: ${situation}`);
    assert.ok(order.length <= 32, `${name}: ${order}`);
  }
});

test("with no box in play Same boxes is amber away from the lock, whose place is a well", () => {
  const built = view(screens.wageringEmpty, local());
  assert.deepEqual(slot(built, "amber").act.send, { do: "words", words: ["wager 1 main", "wager 2 main", "wager 4 main 100", "wager 5 main", "wager 7 main"] });
  assert.equal(slot(built, "amber").at, 2);
  assert.equal(built.slots.find((each) => each.at === 4).kind, "well");
});

test("with boxes in play the lock is amber", () => {
  const built = view(screens.wageringBoxes, local());
  assert.deepEqual(slot(built, "amber").act.send, { do: "play", words: "lock" });
  assert.equal(slot(built, "amber").at, 4);
});

test("a tap on a seat while bets are open puts the box in or out", () => {
  const { seats } = view(screens.wageringBoxes, local()).zone;
  assert.deepEqual(seats[0].act, { toggle: { seat: 1, to: "out" } });
  assert.deepEqual(seats[2].act, { toggle: { seat: 3, to: "in" } });
  const pending = view(screens.wageringBoxes, local({ pending: { 1: "out" } })).zone.seats;
  assert.deepEqual(pending[0].act, { toggle: { seat: 1, to: "in" } });
});

test("a hand that decides has five fixed places, ghosts, and no amber button", () => {
  const built = view(screens.decisions, local());
  assert.deepEqual(built.slots.map((each) => [each.at, each.kind, each.label]), [[1, "well", "Surrender"], [2, "well", "Split"], [3, "key", "Double"], [4, "key", "Hit"], [5, "key", "Stand"]]);
  assert.equal(amber(built).length, 0);
  assert.equal(built.zone.seats[3].word, "TURN");
  assert.equal(built.prompt.order, "Seat 4, hand 3: 11");
});

test("why says what is closed and for which reason", () => {
  const { why } = view(screens.decisions, local({ why: true }));
  assert.equal(why.clause, "11.C");
  assert.deepEqual(why.closed.map((each) => each.label), ["Split", "Surrender"]);
});

test("a bust changes its seat only: the others keep their cards", () => {
  const built = view(screens.bust, local());
  assert.equal(built.zone.seats[2].state, "now");
  assert.deepEqual(built.zone.seats[2].tag, { word: "▼ TAKE", amount: "$25", tone: "now", side: null });
  assert.equal(built.zone.seats.filter((seat) => seat.tag).length, 1);
  assert.equal(slot(built, "amber").label, "Taken");
  assert.equal(slot(built, "amber").note, "or deal on: seat 4");
  assert.equal(slot(built, "all-lines"), undefined);
});

test("settlement stands on the seats, with chips and running totals", () => {
  const built = view(screens.settlePay, local());
  assert.equal(built.zone.focus.amount, "$130.00");
  assert.deepEqual(built.zone.focus.chips.map((chip) => `${chip.value} ×${chip.count}`), ["100 ×1", "25 ×1", "5 ×1"]);
  assert.deepEqual(built.strip.cells.slice(2).map((cell) => cell.text), ["To take: none", "To pay: 1 line, $130", "To leave: 1"]);
  assert.equal(slot(built, "all-lines").note, "hold 1 s: 2 lines");
});

test("all lines is not offered past a line over the limit, nor past one that somebody approves", () => {
  const limited = view(screens.settlePay, local({ settings: { ...houseSettings, all_lines_limit_cents: 12_900 } }));
  assert.equal(slot(limited, "all-lines"), undefined);
  const lines = screens.settlePay.lines.map((line, at) => (at === 9 ? { ...line, approval: "floor" } : line));
  assert.equal(slot(view({ ...screens.settlePay, lines }, local()), "all-lines"), undefined);
  assert.equal(slot(view(screens.stressSettlement, local()), "all-lines"), undefined);
});

test("insurance has no button: the insertion closes it, and no key can stand for the reader", () => {
  const built = view(screens.insurance, local());
  assert.equal(amber(built).length, 0);
  assert.equal(built.slots.find((each) => each.kind === "wait").label, "Reader next");
  assert.ok(!JSON.stringify(built).includes("peek"));
  assert.equal(built.zone.seats[0].act.send.words, "insure 1 12.5");
});

test("the hole card is one constant back, without a total, whatever the table knows", () => {
  for (const screen of [screens.decisions, screens.insurance, screens.reveal, screens.stress]) {
    const { dealer } = view(screen, local()).zone;
    assert.deepEqual(dealer.cards.at(-1), { back: true });
    assert.equal(dealer.total, undefined);
    assert.equal(dealer.note, "hole card sealed");
  }
});

test("what is not current has no slots", () => {
  for (const state of [{ gone: true }, { saving: true }]) {
    const built = view(screens.decisions, local(state));
    assert.ok(built.dim);
    assert.equal(built.slots.filter((each) => each.kind === "key").length, 0);
  }
});

test("without a dealer there is one thing to do", () => {
  assert.deepEqual(slot(view(screens.signedOut, local()), "amber").act, { sign: { do: "sign-in" } });
});

test("procedure: the up card is three keys without a ten where there is none, the dealer's hand is one tap", () => {
  const up = view(screens.procedureUp, local()).zone;
  assert.deepEqual(up.keys.map((key) => key.label), ["A", "J Q K", "2 – 9"]);
  const players = view(screens.procedurePlayers, local());
  assert.deepEqual(slot(players, "amber").act.send, { do: "words", words: ["next", "next", "next"] });
});

test("a doubled hand has no hit, though the next card may be drawn", () => {
  const screen = { ...screens.decisions, prompt: { ...screens.decisions.prompt, offers: screens.decisions.prompt.offers.filter((each) => each.word !== "hit" && each.word !== "double") } };
  assert.deepEqual(view(screen, local()).slots.map((each) => each.kind), ["well", "well", "well", "well", "key"]);
});

test("what stops the day is the floor's: the table is not opened over it", () => {
  const screen = { ...screens.signedOut, signed_in: 1007, stops: [{ reason: "today's inspection has not been passed", source: "2.C" }] };
  assert.deepEqual(slot(view(screen, local()), "amber").act, { open: "floor" });
});

test("first-card wagers and lost insurance go together by one hold, a bust does not", () => {
  const line = (position, wager) => ({ ...screens.settlePay.lines[0], position, wager, confirmed: false });
  const lost = { ...screens.settlePay, stage: "first-card-wagers", lines: [line(1, "match-super-bonus"), line(2, "match-super-bonus"), line(5, "main")] };
  assert.equal(slot(view(lost, local()), "all-lines").note, "hold 1 s: 3 lines");
  assert.equal(slot(view({ ...lost, lines: [line(1, "main"), line(2, "match-super-bonus")] }, local()), "all-lines"), undefined);
});

test("a table that stops still settles the line that is due", () => {
  const built = view({ ...screens.settlePay, mode: "faulted" }, local());
  assert.equal(slot(built, "amber").label, "Paid");
});

test("in procedure the hole card is not sealed any more once it was turned", () => {
  const screen = { ...screens.procedurePlayers, stage: "settlement", dealer: { cards: [], hole: "revealed", total: null, soft: false }, lines: [{ ...screens.settlePay.lines[0], confirmed: false }], prompt: { ...screens.settlePay.prompt } };
  assert.ok(!JSON.stringify(view(screen, local())).includes("sealed"));
});

test("a game without tens is not told of one", () => {
  const reader = { ...screens.procedurePlayers, stage: "reader", prompt: { ...screens.procedurePlayers.prompt, waits_for: "reader", offers: [] } };
  assert.equal(view(reader, local()).prompt.situation, "Face card up.");
  assert.equal(view({ ...reader, game: "blackjack" }, local()).prompt.situation, "Ten or face up.");
});
