// What the page shows when things are not a plain round: sheets, PINs, alerts, an inspection, a stalled disk, silence.
//
//     node screens.mjs BENCH_TABLE SUBMISSIONS [SHOTS]

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { browser, check, enter, identify, measure, screenOf, table } from "./bench.mjs";

const [program, submissions, shots] = process.argv.slice(2);
if (shots) mkdirSync(shots, { recursive: true });

const refusal = (page) => page.locator("#strip.refused");

const app = await browser();
const bench = await table(program, join(submissions, "blackjack-all-wagers.toml"));
try {
  const { page, complaints, close } = await enter(app, bench);
  await people(page);
  await late(page);
  await repaired(page);
  await made(page);
  check(complaints.length === 0, complaints.join("; "));
  await silence(page);
  await close();
  await noKey();
} finally {
  await app.close();
  await bench.stop();
}

async function shot(page, name) {
  if (!shots) return;
  for (const [width, height] of [[1280, 800], [800, 480]]) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: join(shots, `${name}-${width}x${height}.png`) });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

// Without a dealer nothing is taken; a wrong PIN is told and may be typed again; a PIN never leaves as digits.
async function people(page) {
  await page.waitForTimeout(300);
  await page.locator("#main").click();
  await refusal(page).waitFor();
  check((await refusal(page).innerText()).includes("no dealer has signed in"), "a closed table opened for nobody");
  const sent = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.postData()));
  await page.locator("[data-tool=floor]").click();
  await shot(page, "floor");
  await page.locator('#sheet button:has(b:text-is("Sign in"))').click();
  await shot(page, "number");
  await identify(page, 1042, "864209");
  await page.locator("#pinpad:not([hidden])").waitFor();
  await page.locator('#pinpad :text("wrong")').waitFor();
  await identify(page, 1042, bench.pin);
  await page.waitForFunction(() => document.getElementById("strip").innerText.includes("Dealer 1042"));
  check(sent.length === 2 && sent.every((body) => JSON.parse(body).pad), "a PIN was sent without its pad");
  await page.locator("[data-tool=problem]").click();
  await shot(page, "problem");
  await page.locator("#close").click();
  console.log("ok people");
}

// A tap is for what was on the page when it was tapped. If the table has moved on meanwhile, also to an order that reads the
// same, nothing is done.
async function late(page) {
  await toWagers(page);
  const take = (await screenOf(page)).prompt.text;
  // Somebody types a PIN for a reshuffle while chips come and go.
  await page.locator("[data-tool=floor]").click();
  await page.locator('#sheet button:has(b:text-is("Reshuffle"))').click();
  await page.waitForSelector("#pinpad:not([hidden])");
  await elsewhere(page, "wager 2 main 25");
  await elsewhere(page, "unwager 2 main");
  await page.waitForSelector("#pinpad", { state: "hidden" });
  await refusal(page).waitFor();
  check((await refusal(page).innerText()).includes("moved on"), await refusal(page).innerText());
  let screen = await screenOf(page);
  check(screen.stage === "wagering" && screen.prompt.text === take, `a tap for an older prompt was taken: ${screen.prompt.text}`);
  // A sheet whose offer is gone.
  const shown = (amount, is) => page.waitForFunction(
    ([amount, is]) => document.querySelector('[data-seat="3"]').innerText.includes(amount) === is, [amount, is]);
  await elsewhere(page, "wager 3 main 25");
  await shown("$25", true);
  await page.locator('[data-seat="3"]').click();
  await page.locator('#sheet .tiles button:has(b:text-is("Unwager"))').first().waitFor();
  await elsewhere(page, "unwager 3 main");
  const { accepted: { sequence } } = await elsewhere(page, "wager 2 main 25");
  await shown("$25", false);
  await page.locator('#sheet .tiles button:has(b:text-is("Unwager"))').first().click();
  await page.locator("#sheet").waitFor({ state: "hidden" });
  await refusal(page).waitFor();
  check((await refusal(page).innerText()).includes("moved on"), await refusal(page).innerText());
  screen = await screenOf(page);
  check(screen.sequence === sequence, "a tap on an older sheet was taken");
  // What answers no order may go on.
  await page.locator("[data-tool=floor]").click();
  await page.locator('#sheet button:has(b:text-is("Confirm the clock"))').click();
  await page.waitForSelector("#pinpad:not([hidden])");
  await elsewhere(page, "wager 4 main 75");
  await page.waitForFunction(() => document.querySelector('[data-seat="4"]').innerText.includes("$75"));
  check(await page.locator("#pinpad").isVisible(), "a PIN for the clock was called off by a chip");
  await page.locator('#pinpad button:has(b:text-is("Cancel"))').click();
  await elsewhere(page, "unwager 2 main");
  await elsewhere(page, "unwager 4 main");
  console.log("ok late");
}

// An order that comes in between has its own button: a reader that failed is repaired before anything else.
async function repaired(page) {
  await elsewhere(page, "irregularity 14.L");
  await page.waitForSelector("#main[data-word=reader-repaired]");
  const { prompt } = await screenOf(page);
  check(prompt.text.includes("out of service") && prompt.clause.endsWith("14.L"), JSON.stringify(prompt));
  for (const [width, height] of [[800, 480], [1280, 800]]) {
    await page.setViewportSize({ width, height });
    await measure(page, `reader out ${width}x${height}`);
  }
  await shot(page, "reader-out");
  // A button that has just changed takes no tap: then once more, as a person would.
  const asked = () => page.waitForSelector("#pinpad:not([hidden])", { timeout: 5000 }).catch(() => null);
  let pinpad = null;
  for (let tap = 0; tap < 6 && !pinpad; tap += 1) {
    await page.waitForTimeout(300);
    await page.locator("#main[data-word=reader-repaired]").click();
    pinpad = await asked();
  }
  check(pinpad, "no PIN pad opens for the repaired reader");
  await identify(page, 2001, bench.pin);
  await page.waitForFunction(() => document.querySelector("#main")?.dataset.word !== "reader-repaired");
  check(!(await screenOf(page)).prompt.wanted, "the reader is still to be repaired");
  console.log("ok repaired");
}

// From the closed table to its first wagers, in words.
async function toWagers(page) {
  for (const words of ["open", "decks 6 preinspected", "cut dealer 100", "place 90", "load"]) await elsewhere(page, words);
  await page.waitForFunction(() => document.getElementById("situation").textContent === "Bets are open.");
}

// What another screen of the table says.
async function elsewhere(page, words) {
  const answer = await page.evaluate((words) => fetch("/api/v1/act", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key: crypto.randomUUID(), action: { do: "play", words } }),
  }).then((answer) => answer.json()), words);
  check(answer.accepted, `${words}: ${JSON.stringify(answer)}`);
  return answer;
}

// Screens that a bench without devices does not come to: a real one, with what would be different.
async function made(page) {
  const real = await screenOf(page);
  const day = { ...real.day, inspected: true, rounds: 87 };
  const cases = {
    alert: { alerts: [{ alert: 3, severity: "attend", source: "DV-041", text: "The shuffler's door is open", raised_sequence: 9, acknowledged_by: null, ended: false }] },
    stop: {
      mode: "faulted",
      alerts: [{ alert: 4, severity: "stop", source: "blackjack 14.K", text: "The hole-card reader is not reached", raised_sequence: 9, acknowledged_by: null, ended: true }],
      stops: [{ reason: "the hole-card reader is not reached", source: "blackjack 14.K" }],
    },
    inspection: {
      mode: "inspection",
      inspection: {
        day: 20833, full: false, step: 4, text: "Insert the king of hearts as if under an ace (3 of 8).", source: "blackjack 2.C",
        steps: ["seals", "housing", "identity", "test cards", "indicators", "lock-out", "positions", "shuffler", "counters", "signature"]
          .map((name, at) => ({ name, state: at < 3 ? "passed" : "open", note: at === 0 ? "A-1204, A-1205" : "" })),
        answers: ["fail"], last: "day 20832 passed",
      },
    },
    decks: { prompt: { ...real.prompt, text: "The decks have to be changed before the next round: receive 6 decks", clause: "blackjack 3.D", wanted: "decks",
      offers: [{ word: "decks" }, { word: "wager", seats: [1, 2, 3] }, { word: "close" }] } },
    insurance: { ...dealt(real, "Ac"), stage: "insurance", prompt: { ...real.prompt, text: "Offer insurance, then insert the hole card into the reader", clause: "blackjack 8.A", waits_for: "reader",
      offers: [{ word: "insure", seats: [2], min_cents: 50, max_cents: 1250, step_cents: 50, amount_optional: true }, { word: "even-money", seats: [4] }, { word: "peek", values: ["yes", "no", "unread"] }] } },
    crowded: { ...crowded(real), stage: "decisions" },
    firstCards: { ...dealt(real, "4d"), stage: "decisions", lines: [{ ...line(2, "lucky-ladies", "lost", null, 0), clause: "blackjack 7.F" }],
      prompt: { ...real.prompt, text: "Collect seat 2 lucky-ladies: lost, takes $5", clause: "blackjack 7.F",
        offers: ["collected", "settled", "hit", "stand", "double", "undo"].map((word) => ({ word })) } },
    jackpot: { ...dealt(real, "7c"), stage: "settlement", prompt: { ...real.prompt, text: "Floorperson: approve seat 2 super-4: won, royal flush in the star suit, 100 % of the star meter, pays $50,000", clause: "blackjack 13.M(4)",
      offers: [{ word: "floor approve" }, { word: "undo" }] },
      lines: [line(2, "super-4", "won", "100 % of meter", 5_000_000, "floor and a second person"), line(4, "main", "lost", null, 0)] },
  };
  for (const [name, change] of Object.entries(cases)) {
    await feed(page, { ...real, day, prompt_number: real.prompt_number + 1, ...change });
    const wanted = { alert: "#strip.attend", stop: "#strip.stop", inspection: "#inspection li.current", decks: "#main[data-word=decks]", insurance: "#main.wait", crowded: ".seat.turn .hand.turn", firstCards: "#main[data-word=collected]", jackpot: ".line.current" }[name];
    await page.waitForSelector(wanted);
    for (const [width, height] of [[800, 480], [1280, 800]]) {
      await page.setViewportSize({ width, height });
      await measure(page, `${name} ${width}x${height}`);
    }
    await shot(page, name);
    if (name === "insurance") check(!(await page.locator("#actions").innerText()).includes("Peek"), "a peek button");
    if (name === "jackpot") {
      const row = await page.locator(".line.current").innerText();
      check(row.includes("$50,000") && row.includes("needs floor and a second person"), row);
    }
  }
  await feed(page, real, "true");
  await page.waitForSelector("body.saving");
  check(!(await page.locator("#main").isVisible()), "a button can be tapped while the table is saving");
  await shot(page, "saving");
  await page.unroute("**/api/v1/events");
  await page.reload();
  await page.waitForSelector("body:not(.gone) #actions button");
  console.log("ok made screens");
}

// One stream with one screen, again and again.
async function feed(page, screen, saving = "false") {
  const body = `retry: 200\n\nevent: screen\nid: 1\ndata: ${JSON.stringify(screen)}\n\nevent: saving\ndata: ${saving}\n\n`;
  await page.unroute("**/api/v1/events");
  await page.route("**/api/v1/events", (route) => route.fulfill({ contentType: "text/event-stream", body }));
  await page.reload();
}

function hand(cards, total, more = {}) {
  return { cards, total, soft: false, stake_cents: 2500, doubles: 0, state: "open", turn: false, ...more };
}

function dealt(real, up) {
  const seats = real.seats.map((seat) => ({ ...seat, in_play: [2, 4].includes(seat.seat), main_cents: [2, 4].includes(seat.seat) ? 2500 : null,
    hands: seat.seat === 2 ? [hand(["9h", "8s"], 17)] : seat.seat === 4 ? [hand(["Ah", "Ks"], 21, { soft: true, state: "blackjack" })] : [] }));
  return { seats, round: 88, locked: true, mode: "dealing", dealer: { cards: [up], hole: "sealed", total: null, soft: false } };
}

// Every seat taken, four hands at one of them, side wagers everywhere.
function crowded(real) {
  const side = [{ wager: "lucky-ladies", stake_cents: 500, open: true }, { wager: "buster-blackjack", stake_cents: 2500, open: false }];
  const lamps = [{ spot: 1, wager: "super-4", state: "accepted" }, { spot: 2, wager: "bad-beat", state: "late" }];
  const seats = real.seats.map((seat) => ({ ...seat, in_play: true, main_cents: 2500, side, lamps,
    hands: seat.seat === 4
      ? [hand(["8h", "Kd"], 18, { state: "stood" }), hand(["8d", "3c", "9s"], 20, { doubles: 1, state: "stood" }), hand(["8h", "3c"], 11, { turn: true }), hand(["8c"], 8)]
      : seat.seat === 1 ? [hand(["2h", "3d", "4h", "2s", "Ad", "7c"], 19, { state: "stood" })] : [hand(["9h", "8s"], 17)] }));
  const offers = ["hit", "stand", "double", "surrender", "split", "seat"].map((word) => (word === "seat" ? { word, seats: [5, 6] } : { word }));
  return { ...dealt(real, "9c"), seats, prompt: { ...real.prompt, text: "Seat 4, hand 3: hard 11, ask for a decision", clause: "blackjack 12.C", offers } };
}

function line(position, wager, outcome, odds, pays, approval) {
  const more = approval ? { approval } : {};
  return { position, hand: 1, wager, outcome, line: outcome === "won" ? "royal flush" : "lower", odds, basis: odds ? "meter" : null, stake_cents: 500,
    returned_cents: outcome === "won" ? 500 : 0, pays_cents: pays, clause: "blackjack 13.M(4)", confirmed: false, ...more };
}

// The table goes away: within seconds the page says that it is not current, and offers nothing to tap.
async function silence(page) {
  await bench.stop();
  await page.waitForSelector("body.gone");
  check((await page.locator("#strip").innerText()).includes("not current"), "a stale page looks current");
  check((await page.locator("#actions button:visible").count()) === 0, "a stale page can be tapped");
  await shot(page, "gone");
  console.log("ok silence");
}

async function noKey() {
  const other = await table(program, join(submissions, "blackjack.toml"));
  const page = await app.newPage();
  await page.goto(other.address);
  await page.locator('#text:has-text("no key")').waitFor();
  await page.goto(`${other.address}/enter#${"0".repeat(64)}`);
  await page.locator(':text("not the table\'s key")').waitFor();
  await page.close();
  await other.stop();
  console.log("ok no key");
}
