// Pages for whoever signs or decides: a jackpot, its rejection, payments before a void, the opening, what an irregularity
// would lead to; and the counts and times that people go by.

import assert from "node:assert/strict";
import { test } from "node:test";
import { outcome, wagers } from "../assets/core/outcome.js";
import { PAGES, pageOf } from "../assets/core/pages.js";
import { strip, untilTurn } from "../assets/core/strip.js";
import { said } from "../assets/core/signing.js";
import { view } from "../assets/core/view.js";
import * as reasons from "../assets/pages/reasons.js";
import * as sign from "../assets/pages/sign.js";
import * as screens from "./screens.js";

const { floorVisit, houseSettings, people } = screens;
const local = (more = {}) => ({ page: null, own: null, look: null, why: false, refused: null, dropped: null, pending: {}, saving: false, gone: false, settings: houseSettings, people, visit: null, read: {}, insured: null, minute: null, ...more });
const amber = (built) => built.slots.find((each) => each.id === "amber");
const named = (built, id) => built.slots.find((each) => each.id === id);

test("each step of a verification has its own amber, and rejecting takes a hold", () => {
  const says = (screen) => amber(view(screen, local())).act?.send.words;
  assert.deepEqual([screens.jackpotHand, screens.jackpotLamp, screens.jackpotFloor, screens.jackpotSecond].map(says), ["next", "next", "floor approve", "manager approve"]);
  for (const screen of [screens.jackpotHand, screens.jackpotFloor, screens.jackpotSecond]) {
    const built = view(screen, local());
    assert.equal(built.page, "jackpot");
    assert.ok(named(built, "reject").hold && !named(built, "reject").act && named(built, "reject").ticks);
    assert.ok(built.zone.tell.includes("being checked"));
  }
});

test("the evidence: cards as dealt, lamp, meter, the line of the clause, both looks", () => {
  const { zone } = view(screens.jackpotFloor, local({ read: { "/api/v1/players": screens.players } }));
  assert.deepEqual(zone.hand.cards.map((each) => each.about), ["5: 1st", "5: 2nd", "up", "turned"]);
  assert.ok(zone.hand.seen.includes("12.D(2)(a)") && zone.hand.pays.includes("100 %"));
  assert.deepEqual([zone.lamp.word, zone.meter.word, zone.meter.amount], ["● lit", "✓ balances", "$14,262.40"]);
  assert.ok(zone.meter.rows.some(([label, value]) => label === "Restarts at" && value === "$5,000.84"));
  assert.ok(!/not yet/.test(zone.hand.seen));
  assert.ok(view(screens.jackpotHand, local()).zone.hand.seen.includes("not yet"));
  assert.ok(view(screens.jackpotUnseen, local()).zone.hand.none);
});

test("who has approved, who is next, and who may not", () => {
  const boxes = (screen) => view(screen, local()).zone.boxes.map((box) => [box.tone, box.name]);
  assert.deepEqual(boxes(screens.jackpotFloor), [["now", "Floorperson"], ["later", "Second person"]]);
  assert.deepEqual(boxes(screens.jackpotSecond), [["done", "Number 2041"], ["now", "Second person"]]);
  assert.ok(view(screens.jackpotSecond, local()).zone.boxes[1].lines.includes("not 2041"));
});

test("the first person is not asked to sign twice, in their own visit neither", () => {
  const action = { do: "play", words: "manager approve" };
  for (const visit of [null, floorVisit]) {
    const state = sign.open(screens.jackpotSecond, { action, people, visit });
    assert.deepEqual([state.first.person, state.person], [2041, null]);
    const built = sign.view(screens.jackpotSecond, state, local({ visit }));
    assert.deepEqual(built.zone.boxes.map((box) => box.tone), ["done", "now"]);
    assert.equal(built.strip.end.text, "in the record");
  }
  const other = sign.open(screens.jackpotSecond, { action, people, visit: { ...floorVisit, person: 3002, role: "manager" } });
  assert.equal(other.person, "3002");
  assert.equal(sign.open(screens.jackpotFloor, { action: { do: "play", words: "floor approve" }, people }).first, null);
});

test("a visitor finds the evidence first; whoever may not approve only reads it", () => {
  assert.equal(pageOf(screens.jackpotFloor, local()).name, "jackpot");
  const at = (visit) => view(screens.jackpotFloor, local({ visit, page: { name: "jackpot", state: {} } }));
  assert.ok(amber(at(floorVisit)) && named(at(floorVisit), "reject"));
  const technician = at({ ...floorVisit, person: 4003, role: "technician", may: [] });
  assert.ok(!amber(technician) && !named(technician, "reject"));
  assert.deepEqual(technician.prompt.why.act, { leave: true });
  // The looks are the dealer's.
  assert.equal(amber(view(screens.jackpotHand, local({ visit: floorVisit, page: { name: "jackpot", state: {} } }))), undefined);
});

test("a rejection has a reason, says what the player is told, and is signed in words", () => {
  let state = reasons.open(screens.jackpotFloor, { of: "reject" });
  const shown = () => view(screens.jackpotFloor, local({ page: { name: "reasons", state } }));
  assert.equal(amber(shown()), undefined);
  state = reasons.step(screens.jackpotFloor, state, { chosen: "Lamp was dark" }).state;
  assert.deepEqual(amber(shown()).act.send, { do: "play", words: 'reject "lamp was dark"' });
  assert.ok(shown().zone.foot.includes("lamp was dark") && shown().zone.foot.includes("bet goes back"));
  assert.equal(said(screens.jackpotFloor, { do: "play", words: 'reject "x"' }), "reject seat 5's jackpot");
});

test("payments before a void: one answer for all, or the dealer goes on and they stand", () => {
  const asked = view(screens.paymentsAsked, local());
  assert.equal(amber(asked).act.send.words, "next");
  assert.deepEqual(asked.slots.find((each) => each.label === "Floor answers").act, { open: "reasons", of: "payments" });
  const state = { ...reasons.open(screens.paymentsAsked, { of: "payments" }), chosen: "Paid by the rules" };
  const built = view(screens.paymentsAsked, local({ page: { name: "reasons", state } }));
  assert.deepEqual(built.slots.filter((each) => each.act?.send).map((each) => each.act.send.words), ['payments stand "paid by the rules"', 'payments back "paid by the rules"']);
  assert.ok(built.zone.foot.includes("2 payments, $167.50"));
  const tiles = view(screens.paymentsAsked, local({ visit: floorVisit, page: { name: "floor", state: { more: false } } })).zone.tiles;
  assert.ok(tiles.some((each) => each.label === "Payments" && each.act) && !tiles.some((each) => each.label === "Void round"));
});

test("every reason fits into the record", () => {
  for (const of of ["correct", "reject", "payments"]) {
    for (const each of view(screens.jackpotFloor, local({ page: { name: "reasons", state: reasons.open(null, { of }) } })).zone.tiles) assert.ok(each.label.length <= 62 && !each.label.includes('"'), each.label);
  }
});

test("a void takes a hold, never a tap", () => {
  const tile = view(screens.stopped, local({ visit: floorVisit, page: { name: "floor", state: { more: false } } })).zone.tiles.find((each) => each.label === "Void round");
  assert.deepEqual([tile.act, tile.hold, tile.ticks], [null, { send: { do: "play", words: "floor void" } }, true]);
});

test("what an irregularity would lead to is asked for when nothing is open any more, and told before anybody says it", () => {
  const page = PAGES.problem;
  const act = (state, ...acts) => acts.reduce((now, each) => page.step(screens.problem, now, each).state, state);
  let state = act(page.open(), { group: "card" }, { what: "13.F" });
  assert.deepEqual(page.wants(screens.problem, state), []);
  state = act(state, { rank: "8" }, { card: "8h" });
  const [address] = page.wants(screens.problem, state);
  assert.ok(address.startsWith("/api/v1/outlook/irregularity%2013.F%208h#"));
  const shown = (read) => view(screens.problem, local({ page: { name: "problem", state }, read }));
  assert.ok(amber(shown({})), "it can be told even where nothing is foretold");
  const built = shown({ [address]: screens.outlook });
  assert.equal(amber(built).act.send.words, "irregularity 13.F 8h");
  const texts = built.zone.steps.map((each) => each.text);
  assert.ok(texts[0].includes("13.F") && texts[1].startsWith("Seat 4 takes it:") && texts[2].startsWith("Seat 4 refuses:") && texts.at(-1).startsWith("Then:"));
  assert.ok(built.slots.some((each) => each.label === "Back to play"));
});

test("wagers that end alike are told together, one alone in full", () => {
  assert.deepEqual(wagers(screens.outlookVoid.lines), ["8 bets go back: seats 1, 2, 4, 6, 7."]);
  assert.deepEqual(wagers([screens.outlookVoid.lines[0]]), ["Seat 1, main bet $25.00: goes back."]);
  const many = outcome({ ...screens.outlookVoid, said: Array(9).fill(screens.outlookVoid.said[0]) }, {}).map((each) => each.text);
  assert.ok(many.length <= 8 && many.at(-2).startsWith("And ") && many.at(-1).startsWith("Then:"), many.join("; "));
});

test("the opening: meters to compare, the dealer has signed in, the floorperson signs", () => {
  const built = view({ ...screens.opening, meters: screens.alerts.meters }, local());
  assert.equal(built.page, "opening");
  assert.equal(built.zone.panel.rows.length, 2);
  assert.deepEqual(built.zone.boxes.map((box) => [box.tone, box.name]), [["done", "1007"], ["now", "PIN"]]);
  assert.equal(amber(built).act.send.words, "open");
  assert.notEqual(view({ ...screens.opening, stops: [{ reason: "x", source: "y" }] }, local()).page, "opening");
});

test("alerts are counted the same way in the order and on the key", () => {
  const at = (alert) => view(screens.alerts, local({ visit: floorVisit, page: { name: "alerts", state: { alert } } }));
  assert.equal(at(null).prompt.order, "3 open, worst first.");
  assert.deepEqual([2, 1, 3, 4].map((alert) => at(alert).slots[0].note).sort(), ["1 of 3", "2 of 3", "3 of 3", "seen 1/1"]);
});

test("the strip says when the gaming day is about to turn", () => {
  assert.equal(untilTurn(local({ minute: 350 })), 10);
  assert.equal(untilTurn(local({ minute: 360 })), 1440);
  assert.equal(untilTurn(local({ minute: 361 })), 1439);
  const cells = (minute) => strip(screens.wageringBoxes, local({ minute })).cells.map((cell) => cell.text);
  assert.ok(cells(315).includes("Day turns in 45 min") && !cells(700).some((text) => text.startsWith("Day turns")));
});
