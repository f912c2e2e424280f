// Small parts of the core: taps that count, money, pads, panels.

import assert from "node:assert/strict";
import { test } from "node:test";
import { boxesRepeated, newGate, shown, takes } from "../assets/core/gate.js";
import { breakDown, money, rowMoney, scriptAmount, shortMoney } from "../assets/core/money.js";
import { isCompact, rem } from "../assets/core/settings.js";
import * as amounts from "../assets/pages/amounts.js";
import * as letters from "../assets/pages/letters.js";
import * as number from "../assets/pages/number.js";
import * as sign from "../assets/pages/sign.js";
import * as problem from "../assets/pages/problem.js";
import * as screens from "./screens.js";

test("a slot takes no tap for 300 ms after the prompt number changed, whatever its label says", () => {
  let gate = shown(newGate(), 7, 1000);
  assert.ok(!takes(gate, { kind: "slot", number: 7 }, 1299));
  assert.ok(takes(gate, { kind: "slot", number: 7 }, 1300));
  gate = shown(gate, 7, 5000);
  assert.ok(takes(gate, { kind: "slot", number: 7 }, 5001), "the same number again is no change");
  gate = shown(gate, 8, 6000);
  assert.ok(!takes(gate, { kind: "slot", number: 7 }, 9000), "a tap for an older prompt");
  assert.ok(takes(gate, { kind: "free" }, 6001), "seats and tools are free");
});

test("after Same boxes a pedal cannot lock for a second, a finger can", () => {
  const gate = boxesRepeated(shown(newGate(), 1, 0), 1000);
  assert.ok(!takes(gate, { kind: "slot", number: 1, by: "pedal", locks: true }, 1999));
  assert.ok(takes(gate, { kind: "slot", number: 1, by: "pedal", locks: true }, 2000));
  assert.ok(takes(gate, { kind: "slot", number: 1, by: "finger", locks: true }, 1999));
});

test("money has its cents, seats leave .00 out, a million keeps its digits", () => {
  assert.equal(money(100_000_000), "$1,000,000.00");
  assert.equal(money(-50), "-$0.50");
  assert.equal(money(null), "chips");
  assert.equal(shortMoney(2500), "$25");
  assert.equal(shortMoney(99_999_950), "$999,999.50");
  assert.equal(rowMoney(100_000_000), "1,000,000");
  assert.equal(scriptAmount(1250), "12.50");
});

test("an amount is broken down into the fewest chips, and what no chip makes up is said", () => {
  const { chips, left } = breakDown(13_050, screens.houseSettings.chips);
  assert.deepEqual(chips.map((chip) => [chip.value, chip.count]), [["100", 1], ["25", 1], ["5", 1]]);
  assert.equal(left, 50);
});

test("a rem is 12 mm of target on each panel", () => {
  assert.equal(rem(800, 480, 5.25), 10);
  assert.equal(rem(1280, 800, 5.9).toFixed(1), "14.0");
  assert.equal(rem(1280, 800, 8.5).toFixed(1), "16.4");
  assert.ok(isCompact(800, 480, 10) && isCompact(1280, 800, 16.4) && !isCompact(1280, 800, 14));
  for (const [width, height, mm] of [[800, 480, 5.25], [1280, 800, 5.9], [1280, 800, 8.5]]) assert.ok((6.3 * rem(width, height, mm)) / mm >= 12);
});

const press = (page, screen, state, ...acts) => acts.reduce((now, act) => page.step(screen, now, act).state, state);

test("chips add up to the amount that is written, then comes the next box", () => {
  const screen = screens.wageringBoxes;
  const state = press(amounts, screen, amounts.open(screen, { seat: 1 }), { add: 10_000 }, { add: 2500 });
  const built = amounts.view(screen, state, { settings: screens.houseSettings });
  const amber = built.slots.find((slot) => slot.id === "amber");
  assert.equal(amber.act.send.words, "wager 1 main 125");
  assert.deepEqual(amber.act.pageStep, { wrote: true, then: 2 });
  assert.equal(press(amounts, screen, state, { wrote: true, then: 2 }).seat, 2);
  const high = press(amounts, screen, state, { add: 50_000 });
  assert.ok(!amounts.view(screen, high, { settings: screens.houseSettings }).slots.some((slot) => slot.id === "amber"), "over the maximum");
});

test("the number pad takes digits within its range", () => {
  const state = number.open(null, { what: "place", least: 45, most: 90, start: 45 });
  assert.deepEqual(number.result(state).send.words, "place 45");
  assert.equal(number.result(press(number, null, state, { digit: "6" })), null);
  assert.equal(number.result(press(number, null, state, { digit: "6" }, { digit: "0" })).send.words, "place 60");
  assert.equal(number.result(press(number, null, state, { digit: "6" }, { digit: "0" }, { reset: true })).send.words, "place 45");
});

test("the text pad fills its field, or takes what it was last time", () => {
  const state = letters.open(null, { then: { send: { do: "inspection-answer" } }, field: "answer", last: "B-2207" });
  const typed = press(letters, null, state, { sign: "B" }, { sign: "-" }, { sign: "2" });
  assert.deepEqual(letters.view(null, typed).slots.find((slot) => slot.id === "amber").act, { send: { do: "inspection-answer", answer: "B-2" } });
  assert.equal(press(letters, null, state, { typed: "B-2207" }).typed, "B-2207");
});

test("a PIN leaves as positions of its pad, and the button comes with the last digit", () => {
  let state = sign.open(null, { action: { do: "sign-in" } });
  state = press(sign, null, state, { digit: "1" }, { digit: "0" }, { person: "10" }, { pad: { pad: "p", digits: [7, 2, 9, 0, 4, 1, 8, 5, 3, 6] } });
  for (const position of [0, 1, 2, 3, 4]) state = press(sign, null, state, { position });
  assert.ok(!sign.view(null, state).slots.some((slot) => slot.id === "amber"));
  state = press(sign, null, state, { position: 5 });
  assert.deepEqual(sign.step(null, state, { sign: true }).credentials, { person: "10", pin: "012345", pad: "p" });
  assert.equal(sign.answered(state, { status: 401, body: { error: "wrong-pin", reason: "wrong" } }, {}).state.positions, "");
});

test("three taps lead to the right irregularity", () => {
  const screen = screens.problem;
  let state = problem.open();
  const pick = (label) => {
    const tile = problem.view(screen, state).zone.tiles.find((each) => each.label === label || each.note === label);
    state = press(problem, screen, state, tile.act.page);
  };
  pick("A card");
  pick("nobody saw it");
  assert.equal(problem.view(screen, state).slots.find((slot) => slot.id === "amber").act.send.words, "irregularity 13.E");
  assert.ok(problem.view(screen, { ...problem.open() }).zone.tiles.find((tile) => tile.label === "The shuffler").ghost);
});
