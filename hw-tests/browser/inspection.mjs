// The daily inspection by touch on the demo's table with its simulated reader, felt and shuffler: passed, failed, repeated,
// paused across a power cut; and the technician who closes the work order.
//
//     node inspection.mjs HOLECARD [SHOTS]

import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { browser, check, enter, identify, measure as measureAll, screenOf, tapLive, typePin } from "./bench.mjs";

const [program, shots] = process.argv.slice(2);
if (shots) mkdirSync(shots, { recursive: true });
const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 300_000);
const AMBER = '[data-id="amber"]';
const slot = (label) => `.slot:has(b:text-is("${label}"))`;
const tile = (label) => `#zone .tile:has(b:text-is("${label}"))`;

// Taps besides cards, chips and PINs.
let taps = 0;

async function demo() {
  const child = spawn(program, ["demo", "--manual", "--from-opening", "--game", "blackjack", "--seed", "4"], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const at = await new Promise((resolve, reject) => {
    lines.on("line", (line) => /http:\S+/.test(line) && resolve(/http:\S+/.exec(line)[0]));
    child.once("exit", () => reject(new Error("the demo ended before it said where its page is")));
  });
  return { link: at, stop: async () => {
    const ended = once(child, "exit");
    child.kill();
    await ended;
  } };
}

async function until(what, holds) {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`${what} did not come`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const inspection = async (page) => (await screenOf(page)).inspection ?? null;
const stepOf = (view) => view?.steps[view.step - 1].name;
const at = (page, name) => until(`the step ${name}`, async () => stepOf(await inspection(page)) === name);
const tap = async (page, selector) => {
  taps += 1;
  await tapLive(page, selector);
};

async function begin(page, number, pin) {
  await page.locator('[data-tool="floor"]').click();
  await identify(page, number, pin);
  await page.locator('#zone[data-page="floor"], #zone[data-page="inspection"]').first().waitFor();
}

async function leave(page) {
  await page.locator(".why-key").click();
  await page.locator('[data-tool="floor"]').waitFor();
}

async function hold(page, selector) {
  await page.waitForTimeout(350);
  const box = await page.locator(selector).boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.waitForTimeout(1300);
  await page.mouse.up();
}

// The rail's spots stand for the felt: they are no part of the screen.
const measure = (page, where) => measureAll(page, where, 5000).catch((error) => {
  const rest = error.message.replace(/^[^:]*: /, "").split("; ").filter((what) => !what.startsWith("too small: side"));
  check(rest.length === 0, `${where}: ${rest.join("; ")}`);
});

// The kiosk without the rail, as a picture of the step.
const picture = (page, name) => (shots ? page.locator("#kiosk").screenshot({ path: join(shots, `${name}.png`) }) : null);

// What devices are asked for: cards into the reader, the button, chips on and off; until the step is another one.
async function devices(page, name, enough = () => false) {
  await until(`the end of ${name}`, async () => {
    const view = await inspection(page);
    if (stepOf(view) !== name || enough(view)) return true;
    if (name === "test cards") await page.locator("#rail .insert:not(:disabled)").click({ timeout: 1000 }).catch(() => null);
    else if (name === "lock-out") await page.locator("#rail .lock:not(:disabled)").click({ timeout: 1000 }).catch(() => null);
    else {
      const seat = /seat (\d+)/.exec(view.text)?.[1];
      await page.locator(`#rail .place-of-seat:nth-child(${seat}) .side`).click({ timeout: 1000 }).catch(() => null);
    }
    await page.waitForTimeout(400);
    return false;
  });
}

// From the seals to the signature.
async function rest(page) {
  for (const name of ["housing", "identity"]) {
    await at(page, name);
    await tap(page, AMBER);
  }
  await at(page, "test cards");
  await devices(page, "test cards");
  for (let view = await inspection(page); stepOf(view) !== "signature"; view = await inspection(page)) {
    const name = stepOf(view);
    if (["lock-out", "positions"].includes(name)) await devices(page, name);
    else {
      await tap(page, AMBER);
      await until(`the step after ${name}`, async () => stepOf(await inspection(page)) !== name);
    }
  }
}

// The first one of a table: every number is tapped in. It is paused, the power goes, and it goes on where it was.
async function first(page) {
  await begin(page, 2001, "200200");
  await page.locator(tile("Inspection")).click();
  await at(page, "seals");
  await measure(page, "seals");
  const seals = (await inspection(page)).seals.length;
  for (let number = 1; number <= seals; number += 1) {
    await page.locator(`.seal-box:nth-child(${number}) .tile`).first().click();
    for (const sign of `A${number}7`) await page.locator(`.pad-key:has(b:text-is("${sign}"))`).click();
    await tapLive(page, AMBER);
    await page.waitForTimeout(100);
  }
  await at(page, "housing");
  await tapLive(page, AMBER);
  await at(page, "identity");
  await page.locator('[data-tool="pause"]').click();
  await until("the pause", async () => (await inspection(page)).paused);
  await page.locator("#coach [data-fault=power-cut]").click();
  await page.waitForTimeout(1500);
  await until("the table after the power cut", async () => (await page.locator("#kiosk:not(.dim)").count()) > 0 && (await inspection(page))?.paused === true);
  // A visit ends with the daemon: whoever comes again gives their PIN, and finds it where it was.
  await until("the inspection that goes on", async () => {
    if ((await inspection(page))?.paused === false) return true;
    if (await page.locator('[data-tool="floor"]').count()) await begin(page, 2001, "200200");
    await picture(page, "inspection-paused-home");
    await page.locator(tile("Inspection")).click({ timeout: 2000 }).catch(() => null);
    await page.waitForTimeout(500);
    return false;
  });
  await at(page, "identity");
  check((await inspection(page)).paused_before.includes(3), "the pause is not marked");
  await until("the reader after the power cut", async () => (await screenOf(page)).devices.some((device) => device.part === "reader" && device.up));
  await tapLive(page, AMBER);
  await at(page, "test cards");
  await devices(page, "test cards", (view) => view.cards.filter((card) => card.read).length >= 2);
  await page.waitForTimeout(800);
  // The last card once more, although it was right.
  await measure(page, "test cards");
  await picture(page, "inspection-cards-live");
  const before = (await inspection(page)).repeated;
  await tapLive(page, slot("Repeat"));
  await until("the repeated card", async () => (await inspection(page)).repeated === before + 1);
  await devices(page, "test cards");
  for (let view = await inspection(page); stepOf(view) !== "signature"; view = await inspection(page)) {
    if (["lock-out", "positions"].includes(stepOf(view))) await devices(page, stepOf(view));
    else {
      const name = stepOf(view);
      await measure(page, name);
      await tapLive(page, AMBER);
      await until(`the step after ${name}`, async () => stepOf(await inspection(page)) !== name);
    }
  }
  await sign(page, "2001", "200200");
  await page.locator('#zone[data-page="record"] .record-step').first().waitFor();
  await measure(page, "record");
  await picture(page, "inspection-record-live");
  const { record } = (await page.evaluate(() => fetch("/api/v1/inspections", { headers: {} }).then((answer) => answer.status))) === 200 ? {} : { record: null };
  check(record === null, "a page without its visit's token reads the record");
  const words = await page.locator("#zone").innerText();
  check(words.includes("Paused") && words.includes("Repeated"), words);
  await onPaper(page);
  await leave(page);
  console.log("ok inspection passed: paused across a power cut, a card repeated, the record on one sheet");
}

async function sign(page, number, pin) {
  await tapLive(page, AMBER);
  await page.locator('#zone[data-page="sign"]').waitFor();
  if (await page.locator(".pad.shuffled").count()) await typePin(page, pin);
  else await identify(page, number, pin);
  await until("the end of the inspection", async () => (await inspection(page)) === null);
}

// One sheet, A4 and letter, with everything that was signed.
async function onPaper(page) {
  for (const format of ["A4", "Letter"]) {
    const pdf = await page.pdf({ format, preferCSSPageSize: false, ...(shots ? { path: join(shots, `inspection-record-${format.toLowerCase()}.pdf`) } : {}) });
    const sheets = pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)?.length;
    check(sheets === 1, `the record takes ${sheets} sheets of ${format}`);
  }
  await page.emulateMedia({ media: "print" });
  const text = await page.locator("#record-sheet").innerText();
  check(/inspection of the hole-card reader/i.test(text) && text.includes("PASSED") && /gaming day \w{3} \d+ \w{3} \d{4}/.test(text) && text.includes("journal record"), text);
  check(!(await page.locator("#kiosk").isVisible()), "the screen is printed with the sheet");
  await page.emulateMedia({ media: "screen" });
}

// Another one, on the same day: all seals the same, then the housing fails, is repeated, fails and is signed.
async function failed(page) {
  await begin(page, 2001, "200200");
  await page.locator(tile("Inspection")).click();
  await page.locator(slot("Inspect")).click();
  await at(page, "seals");
  await tapLive(page, AMBER);
  await until("the question", async () => (await inspection(page)).seals.some((seal) => seal.asked));
  const { seals } = await inspection(page);
  check(seals.every((seal) => seal.last === null), "the page is told what it asks for");
  const asked = seals.findIndex((seal) => seal.asked) + 1;
  for (const sign_ of `${asked}7`) await page.locator(`.pad-key:has(b:text-is("${sign_}"))`).click();
  await measure(page, "two signs");
  await tapLive(page, AMBER);
  await at(page, "housing");
  await fail(page, "Lens dirty");
  await tapLive(page, slot("Repeat"));
  await at(page, "housing");
  await fail(page, "Lens dirty");
  await measure(page, "failed");
  await picture(page, "inspection-failed-live");
  await sign(page, "2001", "200200");
  const after = await screenOf(page);
  check(after.work_orders.length === 1 && after.work_orders[0].source === "RD-101", JSON.stringify(after.work_orders));
  check(after.stops.some((stop) => stop.reason.includes("inspection failed")), JSON.stringify(after.stops));
  await leave(page);
  console.log("ok inspection failed: a hold, a reason, a repeat, a signature, a work order");
}

async function fail(page, reason) {
  await hold(page, slot("Fail"));
  await page.locator(".why-failed").waitFor();
  await measure(page, "reasons");
  await picture(page, "inspection-reasons-live");
  check((await page.locator(AMBER).count()) === 0, "a step fails without a reason");
  await page.locator(tile(reason)).click();
  await tapLive(page, AMBER);
  await at(page, "signature");
}

async function technician(page) {
  await begin(page, 4001, "400400");
  await measure(page, "technician's home");
  await page.locator(tile("Work orders")).click();
  await page.locator('#zone[data-page="work"]').waitFor();
  await measure(page, "work orders");
  await picture(page, "work-orders-live");
  await page.locator(AMBER).click();
  await page.locator(tile("Cleaned")).click();
  await measure(page, "what was done");
  await picture(page, "work-done-live");
  await page.locator(AMBER).click();
  await typePin(page, "400400");
  await until("the end of the work order", async () => (await screenOf(page)).work_orders.length === 0);
  check((await screenOf(page)).stops.length > 0, "a work order that is closed opened the table");
  await leave(page);
  console.log("ok the technician closes the work order");
}

// Nothing wrong: the taps are counted.
async function passed(page) {
  await begin(page, 2001, "200200");
  taps = 1;
  await page.locator(tile("Inspection")).click();
  if (await page.locator(slot("Inspect")).count()) {
    taps += 1;
    await page.locator(slot("Inspect")).click();
  }
  await at(page, "seals");
  await tap(page, AMBER);
  await until("the question", async () => (await inspection(page)).seals.some((seal) => seal.asked));
  const asked = (await inspection(page)).seals.findIndex((seal) => seal.asked) + 1;
  for (const sign_ of `${asked}7`) {
    taps += 1;
    await page.locator(`.pad-key:has(b:text-is("${sign_}"))`).click();
  }
  await tap(page, AMBER);
  await rest(page);
  taps += 1;
  await sign(page, "2001", "200200");
  check((await screenOf(page)).day.inspected && (await screenOf(page)).stops.length === 0, JSON.stringify((await screenOf(page)).stops));
  check(taps <= 14, `an inspection with nothing wrong takes ${taps} taps`);
  await leave(page);
  console.log(`ok inspection with nothing wrong: ${taps} taps of 14`);
}

const app = await browser();
const { link, stop } = await demo();
try {
  const { page, complaints, close } = await enter(app, { enter: link });
  await page.locator("#rail .insert").waitFor();
  await first(page);
  await failed(page);
  await technician(page);
  await passed(page);
  check(complaints.length === 0, complaints.join("; "));
  await close();
} finally {
  await app.close();
  await stop();
}
