// Opens a table and deals a whole round of each game by nothing but taps on the dealer's page.
//
//     node rounds.mjs BENCH_TABLE SUBMISSIONS [SHOTS]

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { browser, check, enter, identify, measure, screenOf, table } from "./bench.mjs";

const [program, submissions, shots] = process.argv.slice(2);
const GAMES = ["blackjack", "spanish-21", "pontoon-21", "players-edge-21", "blackjack-all-wagers", "blackjack-switch",
  "blackjack-from-the-hand", "blackjack-double-shoe"];
// Two boxes: 17 and 11 under a king.
const CARDS = ["9h", "6c", "Kd", "8s", "5c"];
const STEPS_MAX = 120;

if (shots) mkdirSync(shots, { recursive: true });

const app = await browser();
try {
  for (const game of GAMES) {
    for (const tracking of game === "spanish-21" ? ["cards", "procedure"] : ["cards"]) await round(game, tracking);
  }
} finally {
  await app.close();
}

async function round(game, tracking) {
  const bench = await table(program, join(submissions, `${game}.toml`), tracking);
  const { page, complaints } = await enter(app, bench);
  const cards = [...CARDS];
  const seen = new Set();
  let wagered = 0;
  try {
    await signIn(page, bench);
    let screen = await screenOf(page);
    for (let step = 0; screen.day.rounds < 1; step += 1) {
      check(step < STEPS_MAX, `${game}: the round does not end: ${screen.prompt.text}`);
      await photograph(page, `${game}-${tracking}`, screen, seen);
      noHoleCard(screen, await page.locator("#dealer").count() ? await page.locator("#dealer").innerText() : "");
      const before = screen.sequence;
      if (screen.stage === "wagering" && wagered < 2) {
        wagered += 1;
        await page.locator(`[data-seat="${wagered}"]`).click();
        await page.locator(`#sheet .tiles button:has(b:text-is("Wager"))`).first().click();
      } else if (screen.stage === "decisions" && (await page.locator('[data-word="stand"]').count())) {
        const hand = screen.seats.flatMap((seat) => seat.hands).find((each) => each.turn);
        await tapLive(page, hand.total < 12 ? "#slot-3" : "#slot-4");
      } else {
        await tapLive(page, "#main");
      }
      screen = await answer(page, bench, cards, before, `${game} ${tracking}: ${screen.prompt.text}`);
    }
    await page.waitForFunction(() => document.getElementById("situation").textContent !== "");
    check(complaints.length === 0, `${game}: ${complaints.join("; ")}`);
    console.log(`ok ${game} ${tracking}: a round of ${screen.sequence} records, stages ${[...seen].join(" ")}`);
  } catch (error) {
    if (shots) await page.screenshot({ path: join(shots, `failed-${game}-${tracking}.png`) });
    throw error;
  } finally {
    await page.context().close();
    await bench.stop();
  }
}

async function signIn(page, bench) {
  await page.locator("[data-tool=floor]").click();
  await page.locator('#sheet button:has(b:text-is("Sign in"))').click();
  await identify(page, 1042, bench.pin);
  await page.waitForFunction(() => document.getElementById("strip").innerText.includes("Dealer 1042"));
}

// A slot takes no tap right after its meaning changed.
async function tapLive(page, selector) {
  await page.locator(selector).waitFor();
  await page.waitForTimeout(300);
  await page.locator(selector).click();
}

// Goes through whatever sheet has opened, until the table has taken something.
async function answer(page, bench, cards, before, where) {
  for (let tries = 0; tries < 1200; tries += 1) {
    const screen = await screenOf(page);
    if (screen.sequence > before) {
      await page.waitForFunction((text) => document.getElementById("text").textContent === text, screen.prompt.text);
      return screen;
    }
    const refused = page.locator("#strip.refused");
    check(!(await refused.count()), `${where}: refused: ${(await refused.count()) ? await refused.innerText() : ""}`);
    if (await page.locator("#pinpad:not([hidden])").count()) await identify(page, 2001, bench.pin);
    else if (await page.locator("#sheet:not([hidden]) .ranks").count()) await tapCard(page, cards.shift() ?? "7d");
    else if (await page.locator("#sheet:not([hidden]) .pad").count()) await typeAmount(page);
    else if (await page.locator("#sheet:not([hidden]) .tiles button").count()) await pickTile(page);
    else await page.waitForTimeout(50);
  }
  throw new Error(`${where}: nothing came of it`);
}

async function tapCard(page, card) {
  await page.locator(`.ranks button:has(b:text-is("${card[0]}"))`).click();
  await page.locator(`.suits [data-suit="${card[1]}"]`).click();
}

async function typeAmount(page) {
  const wanted = await page.locator("#sheet output").innerText();
  const least = /^\$?([\d,]+)/.exec(wanted)[1].replaceAll(",", "");
  if (await page.locator("#enter").isDisabled()) {
    for (const digit of least) await page.locator(`#sheet .pad button:has(b:text-is("${digit}"))`).click();
  }
  await page.locator("#enter").click();
}

async function pickTile(page) {
  for (const wished of ["Preinspected", "No", "Ten"]) {
    const tile = page.locator(`#sheet .tiles button:has(b:text-is("${wished}"))`);
    if (await tile.count()) return tile.first().click();
  }
  return page.locator("#sheet .tiles button").first().click();
}

function noHoleCard(screen, shown) {
  if (screen.dealer.hole !== "sealed") return;
  check(shown.includes("hole card sealed"), `the sealed card is not named: ${shown}`);
  check(screen.dealer.total === null && screen.dealer.cards.length <= 1, "a screen tells more than the up card");
}

async function photograph(page, name, screen, seen) {
  await page.waitForFunction((text) => document.getElementById("text").textContent === text, screen.prompt.text);
  await measure(page, `${name} ${screen.stage}`);
  const stage = screen.lines.some((line) => !line.confirmed) ? "settlement" : screen.stage;
  if (seen.has(stage)) return;
  seen.add(stage);
  if (!shots) return;
  for (const [width, height] of [[1280, 800], [800, 480]]) {
    await page.setViewportSize({ width, height });
    await measure(page, `${name} ${screen.stage} ${width}x${height}`);
    await page.screenshot({ path: join(shots, `${name}-${stage}-${width}x${height}.png`) });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}
