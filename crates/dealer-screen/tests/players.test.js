// The players' display: amounts that only count up, and nothing that the sign does not say.

import assert from "node:assert/strict";
import { test } from "node:test";
import { COUNT_MS, counted, figure, pages, view } from "../assets/players/view.js";
import { players, playersMost, playersPending, playersPosting } from "./screens.js";

test("an amount only counts up, and a payout switches in one step", () => {
  let before = 0;
  for (let elapsed = 0; elapsed <= COUNT_MS + 100; elapsed += 16) {
    const now = counted(1000, 2000, elapsed);
    assert.ok(now >= Math.max(before, 1000) && now <= 2000);
    before = now;
  }
  assert.equal(before, 2000);
  assert.equal(counted(1_426_240, 500_084, 0), 500_084);
});

test("cents stand apart, a million keeps its digits", () => {
  assert.deepEqual(figure(1_426_240), { whole: "14,262", cents: ".40" });
  assert.deepEqual(figure(100_000_000), { whole: "1,000,000", cents: ".00" });
});

test("the meter, its lines and the last jackpot are shown", () => {
  const shown = view(players);
  assert.equal(shown.title, "Monster Match");
  assert.deepEqual(shown.boxes.map((box) => box.figure), ["100 %", "$1,426.24", "$200.00"]);
  assert.equal(shown.foot.limits, "Bets $10 to $500");
  assert.equal(shown.foot.last.amount, "$9,184.20");
});

test("a jackpot that is being verified stands in the same place; its seat only where the house has set so", () => {
  const shown = view(playersPending);
  assert.deepEqual([shown.kind, shown.cents, shown.verified, shown.next], ["pending", 1_426_240, "being verified at this table", "$5,000.84"]);
  const named = { ...playersPending, pending: [{ ...playersPending.pending[0], seat: 4 }] };
  assert.equal(view(named).verified, "being verified at seat 4");
});

test("several meters stand together, the largest above; several wagers take turns", () => {
  assert.deepEqual(view(playersMost).boxes.map((box) => box.about), ["Mega meter", "Major meter", "Minor meter"]);
  const both = { ...players, meters: [...players.meters, ...playersMost.meters] };
  assert.deepEqual(pages(both), ["monster-match", "buster-blackjack-free-bonus"]);
  assert.deepEqual([0, 1, 2].map((turn) => view(both, turn).title), ["Monster Match", "Buster Free Bonus", "Monster Match"]);
});

test("a table without meters shows what it posts", () => {
  assert.equal(view(playersPosting).kind, "posting");
  assert.equal(view(playersPosting).statements[0], "Blackjack pays 3 to 2");
});
