// A visit's pages without a browser: who signs what, what each page shows, and that nothing of the floor opens by itself.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { betweenRounds, film, lastSettled } from "../assets/core/film.js";
import { insuredNow, noteInsured, takeBack } from "../assets/core/insured.js";
import { PAGES, isOfVisit } from "../assets/core/pages.js";
import { said, signs } from "../assets/core/signing.js";
import { view } from "../assets/core/view.js";
import * as inspection from "../assets/pages/inspection.js";
import * as sign from "../assets/pages/sign.js";
import { worstFirst } from "../assets/pages/alerts.js";
import * as screens from "./screens.js";

const { floorVisit, houseSettings, people } = screens;
const local = (more = {}) => ({ page: null, own: null, look: null, why: false, refused: null, dropped: null, pending: {}, saving: false, gone: false, settings: houseSettings, people, visit: null, read: {}, insured: null, ...more });
const open = (screen, name, args = {}) => ({ name, state: PAGES[name].open(screen, args) });
const visited = (screen, name, more = {}) => view(screen, local({ visit: floorVisit, page: open(screen, name), read: screens.read, ...more }));
const press = (screen, state, ...acts) => acts.reduce((now, act) => sign.step(screen, now, act).state, state);
const amber = (built) => built.slots.find((each) => each.id === "amber");
const tile = (built, label) => built.zone.tiles.find((each) => each.label === label);

// ---- signing

test("the second person signs with their own PIN alone: nothing of the first one is kept", () => {
  const action = { do: "replace-reader", serial: "R-2" };
  const pad = { pad: { pad: "one", digits: [7, 2, 9, 0, 4, 1, 8, 5, 3, 6] } };
  const six = [0, 1, 2, 3, 4, 5].map((position) => ({ position }));
  let state = press(null, sign.open(null, { action }), { person: "4003" }, pad, ...six);
  assert.deepEqual(sign.step(null, state, { sign: true }).credentials, { person: "4003", pin: "012345", pad: "one" });
  const kept = { status: 403, body: { error: "needs-person", second: true, roles: ["floorperson", "manager"], signed: { person: 4003, role: "technician", kept_s: 600 }, reason: "a second person" } };
  const next = sign.answered(state, kept);
  assert.ok(!next.needPad && !next.close);
  state = next.state;
  assert.deepEqual([state.pad, state.positions, state.person], [null, "", null]);
  const missing = sign.view(null, state, local());
  assert.deepEqual(missing.zone.boxes.map((box) => box.name), ["Technician 4003", "Floor or manager"]);
  assert.equal(missing.strip.cells[1].text, "Floor or manager, not 4003");
  state = press(null, state, { chosen: true }, { person: "2041" }, { pad: { pad: "two", digits: pad.pad.digits } }, ...six);
  assert.deepEqual(sign.step(null, state, { sign: true }).credentials, { person: "2041", pin: "012345", pad: "two" });
});

test("whoever has signed first is not offered again, and cannot be typed again", () => {
  const state = { ...sign.open(null, { action: { do: "confirm-clock" }, people }), first: { person: 2041, role: "floorperson" }, roles: ["floorperson", "manager"], chosen: true };
  assert.deepEqual(sign.view(null, state, local()).zone.tiles.map((each) => each.label), ["3002", "Other"]);
  const typed = press(null, state, { typing: true }, { digit: "2" }, { digit: "0" }, { digit: "4" }, { digit: "1" });
  assert.equal(amber(sign.view(null, typed, local())), undefined);
});

test("a visitor signs with their own number, which they are not asked for", () => {
  const state = sign.open(screens.stopped, { action: { do: "play", words: "floor void" }, people, visit: floorVisit });
  assert.equal(state.person, "2041");
  const typed = press(null, state, { pad: { pad: "p", digits: [] } }, { position: 1 });
  assert.deepEqual(sign.step(null, typed, { sign: true }).credentials, { pin: "1", pad: "p" });
  assert.equal(sign.view(screens.stopped, state, local({ visit: floorVisit })).prompt.situation, "To sign: void this round.");
});

test("everything that takes a PIN says in words what is signed, within its line", () => {
  const roles = readFileSync(new URL("../../../docs/security/roles.md", import.meta.url), "utf8");
  const rows = roles.split("\n").map((line) => line.split("|").map((cell) => cell.trim())).filter((cells) => cells[1]?.startsWith("`") && cells.includes("PIN"));
  assert.ok(rows.length > 20);
  for (const [, act] of rows) {
    const word = act.replaceAll("`", "").replace(/,.*$/, "").replace(/ \(.*$/, "");
    const action = word.startsWith("inspection-answer") ? { do: "inspection-answer", answer: "sign" } : { do: word };
    const words = said(screens.decisions, action) ?? said(screens.decisions, { do: "play", words: word });
    assert.ok(words, `no words for ${word}`);
    assert.ok(`To sign: ${words}.`.length <= 36, words);
  }
});

test("reading and acknowledging take no PIN in a visit, everything else does", () => {
  assert.ok(!signs(floorVisit, { do: "acknowledge", alert: 1 }) && !signs(floorVisit, { do: "inspection-answer", answer: "pass" }));
  assert.ok(signs(floorVisit, { do: "clear", alert: 1 }) && signs(floorVisit, { do: "play", words: "permit 4" }) && signs(floorVisit, { do: "play", words: "floor void" }));
});

test("the Floor key asks for a number; relief is the one thing that takes no visit", () => {
  const built = view(screens.decisions, local({ page: { name: "sign", state: sign.open(screens.decisions, { action: { do: "visit" }, people, then: { name: "floor", args: {} } }) } }));
  assert.deepEqual(built.zone.tiles.map((each) => each.label), ["2041", "3002", "4003", "Other"]);
  assert.deepEqual(built.slots[0].act, { sign: { do: "sign-in" } });
  const relief = sign.open(screens.decisions, { action: { do: "sign-in" }, people, visit: floorVisit });
  // Whoever leaves is not among them; dealers come first.
  assert.deepEqual(sign.view(screens.decisions, relief, local()).zone.tiles.map((each) => each.label), ["1004", "2041", "3002", "Other number"]);
  const calls = built.slots.find((each) => each.id === "call");
  assert.deepEqual(calls.act, { send: { do: "call-floor" } });
  assert.ok(["floor", "alerts", "recall", "day", "meters", "devices", "identity", "table"].every(isOfVisit));
});

// ---- the pages

test("every page of a visit has Leave, five slots, one amber at most and lines that fit", () => {
  for (const name of ["floor", "jackpot", "closing", "alerts", "recall", "record", "work", "day", "meters", "devices", "identity", "table"]) {
    for (const screen of [screens.workOrders, screens.alerts, screens.decisions, screens.wageringBoxes, screens.stopped]) {
      const built = visited(screen, name);
      assert.deepEqual(built.prompt.why.act, { leave: true }, name);
      assert.equal(built.slots.reduce((sum, each) => sum + each.span, 0), 5, name);
      assert.ok(built.slots.filter((each) => each.tone === "act").length <= 1, name);
      assert.ok(built.prompt.order.length <= 34 && built.prompt.situation.length <= 36, `${name}: ${built.prompt.situation} / ${built.prompt.order}`);
    }
  }
});

test("the strip says when the table waits for the dealer", () => {
  assert.equal(visited(screens.decisions, "floor").strip.cells[0].text, "Table waits: seat 4 decides");
  assert.equal(visited(screens.decisions, "floor").strip.tone, "act");
  assert.equal(visited(screens.wageringBoxes, "floor").strip.tone, null);
});

test("the worst alert comes first, with what it means and what to do", () => {
  assert.deepEqual(worstFirst(screens.alerts).map((alert) => alert.alert), [2, 3, 1, 4]);
  const built = visited(screens.alerts, "alerts");
  assert.match(built.zone.panels[0].text[1], /^Clean the lens/);
  assert.deepEqual(amber(built).act, { send: { do: "acknowledge", alert: 2 }, pageStep: { alert: 3 } });
  assert.deepEqual(built.slots.find((each) => each.label === "All 3").act.send, { do: "acknowledge-all" });
});

test("an auditor reads and can do nothing; a technician has no money and no hands", () => {
  const auditor = { ...floorVisit, role: "auditor", may: [] };
  const page = open(screens.alerts, "alerts");
  const alerts = view(screens.alerts, local({ visit: auditor, page }));
  assert.ok(alerts.slots.every((each) => !each.act?.send && !each.act?.sign));
  const home = (visit) => view(screens.wageringBoxes, local({ visit, page: open(screens.wageringBoxes, "floor") }));
  assert.ok(tile(home(auditor), "Recall").act);
  assert.deepEqual(tile(home(auditor), "Inspection").act, { open: "record" }, "signed inspections are read");
  const due = { ...screens.wageringBoxes, day: { ...screens.wageringBoxes.day, inspected: false } };
  assert.ok(tile(view(due, local({ visit: auditor, page: open(due, "floor") })), "Inspection").ghost, "and none is begun");
  const technician = { ...floorVisit, role: "technician", may: [{ act: "acknowledge", signature: false }, { act: "enter-service", signature: true }] };
  assert.ok(["Recall", "Day", "Meters", "Correct", "Void round", "Closing"].every((name) => tile(home(technician), name).ghost) && tile(home(technician), "Devices").act);
});

test("a settled round is a film: card, reader, decision, line, and the table as it stood", () => {
  const frames = film(screens.recalled.records);
  const bust = frames.findIndex((frame) => frame.said === "Seat 3 drew 8♥: 24, bust.");
  assert.deepEqual(frames[bust].table.find((seat) => seat.name === "3"), { name: "3", total: "24", word: "bust", bust: true, now: true });
  assert.deepEqual(frames.slice(bust + 1, bust + 3).map((frame) => frame.what), ["Took $25", "Has 19"]);
  assert.equal(frames[bust + 1].table.at(-1).total, "1007");
  assert.equal(frames[bust].table.find((seat) => seat.name === "D").word, "sealed", "no frame before the reveal tells the hole card");
  assert.ok(!JSON.stringify(frames.slice(0, bust + 2)).includes("Kd"));
});

test("of the round that is played there is no film", () => {
  assert.equal(lastSettled(screens.decisions), 647);
  assert.equal(lastSettled({ ...screens.wageringBoxes, round: 647 }), 647);
  assert.ok(!betweenRounds(screens.decisions));
  const read = { "/api/v1/recall/647": { ...screens.recalled, finished: false } };
  assert.equal(visited(screens.decisions, "recall", { read }).prompt.order, "It is not settled yet.");
});

test("an inspection is a visitor's: steps are filled in without a PIN, the end is signed", () => {
  const keys = (screen, visit = floorVisit, state = inspection.open()) => inspection.view(screen, state, local({ visit }));
  assert.deepEqual(amber(keys(screens.inspectionSeals, null)).act, { open: "floor" });
  assert.deepEqual(amber(keys(screens.inspectionSign)).act, { sign: { do: "inspection-answer", answer: "sign" } });
  assert.deepEqual(amber(keys(screens.inspectionHousing)).act, { send: { do: "inspection-answer", answer: "pass" } });
  assert.equal(keys(screens.inspectionCards).slots.at(-1).kind, "wait");
  assert.deepEqual(keys(screens.inspectionCards).slots.find((each) => each.label === "Repeat").act.send.answer, "repeat");
});

test("each seal is the same or another; all the same asks for two signs that the page is not told", () => {
  const built = (screen, state = inspection.open()) => inspection.view(screen, state, local({ visit: floorVisit }));
  const seals = built(screens.inspectionSeals).zone.seals;
  assert.deepEqual(seals.map((seal) => [seal.tone, seal.keys.map((each) => each.label)]), [["ok", ["Change"]], ["stop", ["Change"]], [null, ["Same", "Other"]], [null, ["Same", "Other"]]]);
  assert.equal(seals[2].keys[0].act.send.answer, "seal 3 same");
  assert.deepEqual(amber(built(screens.inspectionSeals)).act.send.answer, "all same");
  assert.equal(amber(built(screens.inspectionFirst)), undefined, "nothing is on record: nothing can be the same");
  const pad = seals[2].keys[1].act;
  const letters = view(screens.inspectionSeals, local({ visit: floorVisit, page: { name: "letters", state: { ...open(screens.inspectionSeals, "letters", pad).state, typed: "B-2209" } } }));
  assert.equal(amber(letters).act.send.answer, "seal 3 B-2209");
  assert.ok(!JSON.stringify(built(screens.inspectionAsked)).includes("B-22"));
  const typed = ["0", "A", "7"].reduce((state, sign) => inspection.step(screens.inspectionAsked, state, { sign }).state, inspection.open());
  assert.equal(amber(built(screens.inspectionAsked, typed)).act.send.answer, "A7");
});

test("a step fails by a hold and a reason, and is repeated or signed", () => {
  const built = (screen, state = inspection.open()) => inspection.view(screen, state, local({ visit: floorVisit }));
  const held = built(screens.inspectionHousing).slots.find((each) => each.label === "Fail");
  assert.deepEqual([held.act, held.hold], [null, { page: { failing: true } }]);
  let state = inspection.step(null, inspection.open(), held.hold.page).state;
  assert.equal(amber(built(screens.inspectionHousing, state)), undefined, "no reason, no failure");
  state = inspection.step(null, state, { reason: "lens-dirty" }).state;
  assert.equal(amber(built(screens.inspectionHousing, state)).act.send.answer, "fail lens-dirty");
  assert.equal(built(screens.inspectionHousing, state).zone.tiles.find((each) => each.chosen).note, "RD-101", "a chosen reason names its fault");
  assert.equal(built(screens.inspectionWrong).zone.kind, "why-failed");
  assert.equal(built(screens.inspectionWrong).slots.find((each) => each.label === "Repeat").act.send.answer, "repeat");
  assert.equal(amber(built(screens.inspectionFailed)).label, "Sign: failed");
});

test("the grid has every test card once, and says which is asked for", () => {
  for (const [screen, rows, columns] of [[screens.inspectionCards, 4, 6], [screens.inspectionCardsFull, 8, 10]]) {
    const { zone } = inspection.view(screen, inspection.open(), local({ visit: floorVisit }));
    assert.deepEqual([zone.rows.length, zone.columns.length], [rows, columns]);
    const cells = zone.rows.flatMap((row) => row.cells).filter(Boolean);
    assert.equal(cells.length, screen.inspection.cards.length);
    assert.equal(cells.filter((cell) => cell.tone === "now").length, 1);
    assert.equal(cells.filter((cell) => cell.tone === "ok").length, screen.inspection.cards.filter((card) => card.read !== null).length);
  }
});

test("the signed record turns through the days, and its sheet goes to paper", () => {
  const read = { "/api/v1/inspections": screens.inspections };
  const built = visited(screens.inspected, "record", { read });
  assert.equal(built.prompt.order, "Passed.");
  assert.equal(built.sheet, screens.inspections.inspections[0].sheet);
  assert.ok(built.zone.signed.some(([label, value]) => label === "Paused" && value === "08:51–08:54"));
  const before = view(screens.inspected, local({ visit: floorVisit, read, page: { name: "record", state: { at: 1 } } }));
  assert.match(before.prompt.order, /^Failed/);
  assert.deepEqual(before.slots.filter((each) => each.kind === "key").map((each) => each.label), ["Inspect", "◂ Tue", "Thu ▸"]);
  assert.equal(tile(visited(screens.inspected, "floor"), "Inspection").act.open, "record");
});

test("a technician closes a work order with what was done and a PIN; others read it", () => {
  const technician = { ...floorVisit, role: "technician", may: [{ act: "close-work-order", signature: true }] };
  const shown = (visit, state) => view(screens.workOrders, local({ visit, page: { name: "work", state: { ...open(screens.workOrders, "work").state, ...state } } }));
  assert.equal(amber(shown(floorVisit, {})), undefined);
  assert.deepEqual(amber(shown(technician, {})).act, { page: { closing: true, order: 12 } });
  const chosen = shown(technician, { closing: true, order: 13, done: "Cleaned" });
  assert.deepEqual(amber(chosen).act, { sign: { do: "close-work-order", order: 13, done: "cleaned" } });
  const home = view(screens.workOrders, local({ visit: technician, page: open(screens.workOrders, "floor") }));
  assert.deepEqual([tile(home, "Work orders").act, amber(home).act], [{ open: "work" }, { open: "work" }]);
});

test("closing shows the meters, and closes by a hold and a signature alone", () => {
  const screen = { ...screens.wageringBoxes, meters: screens.alerts.meters, prompt: { ...screens.wageringBoxes.prompt, offers: [{ word: "close", roles: ["floorperson", "manager"], signature: true }] } };
  assert.deepEqual(tile(visited(screen, "floor"), "Closing").act, { open: "closing" });
  const built = visited(screen, "closing");
  const close = built.slots.find((each) => each.id === "close");
  assert.deepEqual([close.act, close.hold.send.words], [null, "close"]);
  assert.ok(signs(floorVisit, close.hold.send));
  assert.deepEqual(built.zone.panels[1].rows.map((row) => row[1]), ["$12,418.55", "$1,000,000.00"]);
  assert.ok(visited(screens.decisions, "closing").slots.every((each) => each.id !== "close"));
});

// ---- what else was wrong

test("a second tap takes insurance back, also where others insured after it", () => {
  const at = (number, sequence) => ({ ...screens.insurance, prompt_number: number, sequence });
  let insured = insuredNow(noteInsured(null, { do: "play", words: "insure 1 12.50" }, 5, 41), at(6, 41));
  insured = insuredNow(noteInsured(insured, { do: "play", words: "insure 3" }, 6, 42), at(6, 41));
  assert.equal(insured.number, null, "its screen has not come yet");
  insured = insuredNow(insured, at(7, 42));
  assert.deepEqual(takeBack(insured, at(7, 42), 3), ["undo"]);
  assert.deepEqual(takeBack(insured, at(7, 42), 1), ["undo", "undo", "insure 3"]);
  assert.equal(takeBack(insured, at(7, 42), 2), null, "somebody else's screen told it");
  assert.equal(insuredNow(insured, at(8, 43)), null, "something else came between");
  const after = insuredNow(noteInsured(insured, { do: "words", words: ["undo", "undo", "insure 3"] }, 7, 45), at(9, 45));
  assert.deepEqual(after.list, ["insure 3"]);
  const screen = { ...at(7, 42), seats: screens.insurance.seats.map((seat) => (seat.seat === 3 ? { ...seat, insured: true } : seat)) };
  const seat = view(screen, local({ insured })).zone.seats[2];
  assert.deepEqual([seat.state, seat.foot.text, seat.act], ["insured", "insured", { send: { do: "words", words: ["undo"] } }]);
});

test("cut and cover open a page with somebody to choose", () => {
  const offers = (word, more) => ({ ...screens.dealing, stage: word === "cut" ? "preparing" : "dealing", devices: [], prompt: { ...screens.dealing.prompt, offers: [{ word, ...more }, { word: "card", face: "down" }] } });
  const cut = offers("cut", { values: ["3 156", "dealer 156"] });
  const other = view(cut, local()).slots.find((each) => each.label === "Other").act;
  assert.deepEqual(view(cut, local({ page: open(cut, other.open, other) })).zone.tiles.map((each) => [each.label, each.act.send.words]), [["Seat 3", "cut 3 156"], ["Dealer", "cut dealer 156"]]);
  const cover = offers("cover", { sides: ["left", "right"] });
  const side = view(cover, local()).slots.find((each) => each.label === "Cover").act;
  assert.deepEqual(view(cover, local({ page: open(cover, side.open, side) })).zone.tiles.map((each) => each.act.send.words), ["cover left", "cover right"]);
});

test("the reader of a game without tens is not set for one", () => {
  const at = (game) => ({ ...screens.insurance, game, stage: "reader", dealer: { cards: ["Kd"], hole: "sealed", total: null, soft: false } });
  assert.equal(view(at("blackjack"), local()).zone.focus.name, "Ready, set for ten");
  assert.equal(view(at("spanish-21"), local()).zone.focus.name, "Ready, set for face");
});
