// The demo: the robot's with a fault, and a person who deals rounds of each game with the rail.
//
//     node demo.mjs HOLECARD [SHOTS]

import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { browser, check, enter, identify, measure, screenOf, tapIfThere } from "./bench.mjs";

const [program, shots] = process.argv.slice(2);
const { GAME: only, HOLECARD_LONG: long, ROUNDS: rounds = long ? "10" : "2" } = process.env;
// Whoever starts a demo wants to see bets within this, at the pace of a dealer: nobody watches an opening. It is printed
// and no test: a busy machine would decide it.
const FIRST_BETS_AIM_S = 15;
if (shots) mkdirSync(shots, { recursive: true });
const GAMES = ["blackjack", "spanish-21", "pontoon-21", "players-edge-21"].filter((game) => !only || only === game);

const app = await browser();
try {
  if (!only) {
    await firstBets();
    await robot();
  }
  for (const game of GAMES) await person(game);
} finally {
  await app.close();
}

async function demo(args) {
  const child = spawn(program, ["demo", ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const link = await new Promise((resolve, reject) => {
    lines.on("line", (line) => /http:\S+/.test(line) && resolve(/http:\S+/.exec(line)[0]));
    child.once("exit", () => reject(new Error("the demo ended before it said where its page is")));
  });
  const stop = async () => {
    const ended = once(child, "exit");
    child.kill();
    await ended;
  };
  return { link, stop };
}

async function firstBets() {
  const began = Date.now();
  const { link, stop } = await demo([]);
  try {
    const { page, close } = await enter(app, { enter: link });
    check((await page.locator("#coach").innerText()).includes("robot"), "the page does not say that a robot deals");
    await until("the first bets", async () => (await page.locator(".seat.in, .seat.turn, .seat.now").count()) > 0);
    const took = Date.now() - began;
    await close();
    console.log(`ok first bets after ${(took / 1000).toFixed(1)} s (aim ${FIRST_BETS_AIM_S} s)`);
  } finally {
    await stop();
  }
}

async function robot() {
  const { link, stop } = await demo(["--speed", "20", "--game", "players-edge-21"]);
  try {
    const { page, complaints, close } = await enter(app, { enter: link });
    await page.locator("#coach [data-fault=reader-fault]").waitFor();
    check((await page.locator("#coach").innerText()).includes("robot"), "the page does not say that a robot deals");
    const words = await page.locator("#coach button").evaluateAll((all) => all.map((each) => each.dataset.fault));
    check(words.join(" ") === "unread reader-fault jam late-chip jackpot power-cut", `the panel offers ${words}`);
    const dealt = async () => (await screenOf(page)).day.rounds;
    await until("a first round", async () => (await dealt()) > 0);
    await measure(page, "demo");
    if (shots) await page.screenshot({ path: join(shots, "demo-robot-1280x800.png") });
    const before = await dealt();
    // The robot's people see to the fault at twenty times the usual pace: every text that the strip ever shows is kept.
    await page.evaluate(() => {
      window.shown = [];
      const keep = () => window.shown.push(document.getElementById("strip")?.innerText.toLowerCase() ?? "");
      new MutationObserver(keep).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    await page.locator("#coach [data-fault=reader-fault]").click();
    await until("the fault on the page", () => page.evaluate(() => window.shown.some((text) => text.includes("reader"))));
    await until("rounds after the fault", async () => (await dealt()) >= before + 2);
    check(complaints.length === 0, complaints.join("; "));
    await close();
    console.log("ok robot's demo");
  } finally {
    await stop();
  }
}

// A person deals: chips, lock-out, shoe and reader on the rail, everything else on the screen.
async function person(game) {
  const { link, stop } = await demo(["--manual", "--game", game, "--seed", "4"]);
  try {
    const { page, complaints, close } = await enter(app, { enter: link });
    await page.locator("#rail .spot").first().waitFor();
    const began = Date.now();
    let screen = await screenOf(page);
    while (screen.day.rounds < Number(rounds)) {
      check(Date.now() - began < 600_000, `${game}: the rounds do not end: ${screen.prompt.long}`);
      await step(page, screen);
      screen = await next(page, screen);
    }
    check(complaints.length === 0, complaints.join("; "));
    if (shots) await page.screenshot({ path: join(shots, `demo-by-hand-${game}-1280x800.png`) });
    await close();
    console.log(`ok ${game} by hand: ${rounds} rounds`);
  } finally {
    await stop();
  }
}

async function step(page, screen) {
  const glow = page.locator("#rail .glow:not(:disabled)");
  const deciding = page.locator('[data-word="stand"]');
  const boxes = screen.seats.filter((seat) => seat.in_play).length;
  if (screen.stage === "wagering" && boxes < 2 && await page.locator("#rail .spot:not(:disabled)").count()) {
    if (shots && boxes === 1) await page.screenshot({ path: join(shots, "demo-rail-1280x800.png") });
    return page.locator(`#rail [data-spot="${boxes * 2 + 1}"]`).click();
  }
  if (await deciding.count()) {
    const hand = screen.seats.flatMap((seat) => seat.hands).find((each) => each.turn);
    return hand && hand.total < 12 ? page.locator("#rail .draw").click() : tapIfThere(page, '[data-word="stand"]');
  }
  if (await page.locator('#zone[data-page="sign"]').count()) return identify(page, 2001, "200200").catch(() => null);
  if (await page.locator('[data-id="amber"]').count() && !(await page.locator("#rail button.glow").count())) return tapIfThere(page, '[data-id="amber"]');
  if (await glow.count()) return glow.first().click({ timeout: 1000 }).catch(() => null);
  return page.waitForTimeout(50);
}

// What comes next, or the same after a while: devices take their time.
async function next(page, screen) {
  for (let tries = 0; tries < 20; tries += 1) {
    const now = await screenOf(page);
    if (now.sequence !== screen.sequence) return now;
    await page.waitForTimeout(25);
  }
  return screenOf(page);
}

async function until(what, holds) {
  const deadline = Date.now() + 300_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`${what} did not come`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
