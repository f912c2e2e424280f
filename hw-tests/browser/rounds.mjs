// Opens a table and deals whole rounds of each game and variation by nothing but taps on the dealer's page, then by number
// pad and pedal. HOLECARD_LONG: more rounds, in every panel, everything by keys too.
//
//     node rounds.mjs BENCH_TABLE SUBMISSIONS [SHOTS]

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { browser, check, enter, identify, measure, screenOf, table, tapLive } from "./bench.mjs";

const [program, submissions, shots] = process.argv.slice(2);
const long = Boolean(process.env.HOLECARD_LONG);
const { GAME: only, ROUNDS: rounds = long ? "5" : "2" } = process.env;
// What is tapped is tapped on the smallest panel; what needs its own key is pressed on a number pad.
const PANELS = { "800x480": { width: 800, height: 480 }, "1280x800": { width: 1280, height: 800 } };
const GAMES = ["blackjack", "spanish-21", "pontoon-21", "players-edge-21", "blackjack-all-wagers", "blackjack-switch",
  "blackjack-from-the-hand", "blackjack-double-shoe", ...(long ? ["spanish-21-all-wagers", "pontoon-21-all-wagers", "players-edge-21-all-wagers", "blackjack-switch-all-wagers"] : [])];
// Played at the level of the steps, and by keys.
const STEPS = long ? ["blackjack", "spanish-21", "pontoon-21", "players-edge-21"] : ["spanish-21"];
const BY_KEYS = long ? GAMES : ["blackjack"];
// Two boxes: 17 and 11 under a king.
const CARDS = ["9h", "6c", "Kd", "8s", "5c"];
const STEPS_MAX = 200;

if (shots) mkdirSync(shots, { recursive: true });

const app = await browser();
try {
  for (const game of GAMES.filter((each) => !only || only === each)) {
    for (const panel of long ? Object.keys(PANELS) : ["800x480"]) await play(game, { panel });
    if (STEPS.includes(game)) await play(game, { tracking: "procedure" });
    if (BY_KEYS.includes(game)) await play(game, { keys: true });
    if (STEPS.includes(game)) await play(game, { tracking: "procedure", keys: true });
  }
} finally {
  await app.close();
}

async function play(game, { tracking = "cards", panel = "800x480", keys = false }) {
  const bench = await table(program, join(submissions, `${game}.toml`), tracking);
  const { page, complaints } = await enter(app, bench, PANELS[panel]);
  const name = `${game} ${tracking} ${keys ? "by keys" : panel}`;
  const run = { name, bench, keys, cards: [...CARDS], seen: new Set(), taps: 0, pressed: 0 };
  try {
    await tapLive(page, '[data-id="amber"]');
    await identify(page, 1042, bench.pin);
    let screen = await screenOf(page);
    for (let step = 0; screen.day.rounds < Number(rounds); step += 1) {
      check(step < STEPS_MAX, `${name}: the round does not end: ${screen.prompt.long}`);
      await settled(page, screen);
      await measure(page, `${name}: ${screen.prompt.long}`, 2000);
      await photograph(page, run, screen);
      noHoleCard(screen, await page.locator("#dealer").count() ? await page.locator("#dealer").innerText() : "");
      screen = await move(page, run, screen);
    }
    check(complaints.length === 0, `${name}: ${complaints.join("; ")}`);
    check(!keys || run.pressed > 5, `${name}: no key was pressed`);
    console.log(`ok ${name}: rounds: ${rounds}, ${run.taps} taps${keys ? `, ${run.pressed} of them keys` : ""}, ${screen.sequence} records`);
  } catch (error) {
    if (shots) await page.screenshot({ path: join(shots, `failed-${name.replaceAll(" ", "-")}.png`) });
    throw error;
  } finally {
    await page.context().close();
    await bench.stop();
  }
}

// The key of the number pad that stands for a place: Enter is amber and the pedal, 1 to 5 the slots from the right, 7 to 9
// what the zone has to choose from. Seats and card pads are tapped.
function keyFor(selector) {
  if (selector === '[data-id="amber"]') return "Enter";
  const slot = /^\.slot\.at-(\d)$/.exec(selector);
  if (slot) return String(6 - Number(slot[1]));
  const word = /^\[data-word="(stand|hit|double)"\]$/.exec(selector);
  if (word) return { stand: "1", hit: "2", double: "3" }[word[1]];
  const tile = /^\.(?:up-keys|tiles) \.tile(?::nth-child\((\d)\))?$/.exec(selector);
  return tile ? String(6 + Number(tile[1] ?? 1)) : null;
}

// The page shows this screen.
function settled(page, screen) {
  return page.waitForFunction((number) => document.getElementById("kiosk").dataset.prompt === String(number), screen.prompt_number);
}

// One thing that a dealer would do now; waits until the table has taken it.
async function move(page, run, screen) {
  const before = screen.sequence;
  const what = `${run.name}: ${screen.prompt.long}`;
  const tap = async (selector) => {
    run.taps += 1;
    const key = run.keys && keyFor(selector);
    if (!key) return tapLive(page, selector);
    await page.locator(selector).first().waitFor();
    await page.waitForTimeout(320);
    run.pressed += 1;
    await page.keyboard.press(key);
    // Neither key nor pedal signs: that takes a finger.
    if ((await page.locator("#strip").innerText()).includes("signature is tapped")) await tapLive(page, selector);
    return undefined;
  };
  const has = (selector) => page.locator(selector).count();
  const boxes = screen.seats.filter((seat) => seat.in_play).length;
  if (screen.stage === "wagering" && boxes < 2 && !(await has('[data-id="amber"]'))) {
    await tap(`[data-seat="${boxes + 1}"]`);
  } else if (await has('[data-word="stand"]')) {
    const hand = screen.seats.flatMap((seat) => seat.hands).find((each) => each.turn);
    await tap(hand.total !== null && hand.total < 12 ? '[data-word="hit"]' : '[data-word="stand"]');
  }
  for (let tries = 0; tries < 400; tries += 1) {
    const now = await screenOf(page);
    if (now.sequence > before) return now;
    const refused = (await page.locator("#strip.act").allInnerTexts()).join(" ");
    check(!refused.includes("!") || refused.includes("not taken"), `${what}: ${refused}`);
    const shown = await page.locator("#zone").getAttribute("data-page");
    if (shown === "sign") await identify(page, 2001, run.bench.pin);
    else if (shown === "cards") await card(page, run);
    else if (shown === "choose") await tap(".tiles .tile");
    else if (await has('[data-id="amber"]')) await tap('[data-id="amber"]');
    else if (shown === "procedure" && await has(".up-keys .tile")) await tap(".up-keys .tile:nth-child(3)");
    else if (await has('.slot.at-5:has-text("No blackjack")')) await tap(".slot.at-5");
    else if (await has('.slot.at-4:has-text("Takes it")')) await tap(".slot.at-4");
    else if (await has('[data-word="stand"]')) await tap('[data-word="stand"]');
    await page.waitForTimeout(30);
  }
  throw new Error(`${what}: nothing came of it`);
}

async function card(page, run) {
  const next = run.cards.shift() ?? "7d";
  run.taps += 2;
  if (await page.locator('.pad-key:has-text("side")').count()) await page.locator('.pad-key:has-text("side")').first().click();
  const rank = page.locator(`.ranks .pad-key:has(b:text-is("${next[0]}"))`);
  if (await rank.count()) {
    await rank.click();
    await tapLive(page, `[data-word="suit-${next[1]}"]`);
  } else {
    await tapLive(page, ".slot.at-1");
  }
}

function noHoleCard(screen, shown) {
  if (screen.dealer.hole !== "sealed") return;
  check(!shown || shown.includes("sealed"), `the sealed card is not named: ${shown}`);
  check(screen.dealer.total === null && screen.dealer.cards.length <= 1, "a screen tells more than the up card");
}

async function photograph(page, run, screen) {
  if (run.keys) return;
  const stage = screen.lines.some((line) => !line.confirmed) ? "settlement" : screen.stage;
  if (run.seen.has(stage) || !shots) return;
  run.seen.add(stage);
  for (const [width, height] of [[800, 480], [1280, 800]]) {
    await page.setViewportSize({ width, height });
    await measure(page, `${run.name} ${screen.stage} ${width}x${height}`, 2000);
    await page.screenshot({ path: join(shots, `${run.name.replaceAll(" ", "-")}-${stage}-${width}x${height}.png`) });
  }
}
