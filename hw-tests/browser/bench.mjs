// A bench table and a browser on it.

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { once } from "node:events";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

export const PATIENCE = 300_000;

export async function table(program, submission, tracking = "cards") {
  const child = spawn(program, [submission, tracking], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const [line] = await once(lines, "line");
  const said = JSON.parse(line);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill();
    await ended;
  };
  return { ...said, stop };
}

export async function browser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
}

// A page that has entered with the key. Anything that a script complains about fails the test.
export async function enter(app, bench, size = { width: 1280, height: 800 }) {
  const context = await app.newContext({ viewport: size });
  const page = await context.newPage();
  page.setDefaultTimeout(Number(process.env.PATIENCE_MS ?? PATIENCE));
  if (process.env.ASSETS) await page.route(/\/assets\//, fromDisk);
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource|net::ERR/.test(message.text())) complaints.push(message.text());
  });
  await page.goto(bench.enter);
  await page.waitForSelector("#kiosk:not(.dim) #actions button");
  return { page, complaints, close: () => context.close() };
}

// With ASSETS the page's files come from that folder instead of those built in, to try a change at once.
async function fromDisk(route) {
  const name = new URL(route.request().url()).pathname.replace("/assets/", "");
  const contentType = { ".js": "text/javascript", ".css": "text/css" }[extname(name)];
  await route.fulfill({ body: await readFile(join(process.env.ASSETS, name)), contentType });
}

export const screenOf = (page) => page.evaluate(() => fetch("/api/v1/screen").then((answer) => answer.json()));

// What another screen of the table says: one line of the play script, by whoever is named.
export async function elsewhere(page, words, by = {}) {
  const answer = await page.evaluate(async ([said, person]) => {
    const screen = await (await fetch("/api/v1/screen")).json();
    const reply = await fetch("/api/v1/act", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ key: crypto.randomUUID(), prompt: screen.prompt_number, action: typeof said === "string" ? { do: "play", words: said } : said, ...person }) });
    return { status: reply.status, body: await reply.json() };
  }, [words, by]);
  check(answer.status === 200, `${JSON.stringify(words)}: ${JSON.stringify(answer.body)}`);
}

// A table with a dealer, open and ready for bets.
export async function readyForBets(page, bench) {
  await elsewhere(page, { do: "sign-in" }, { person: "1042", pin: bench.pin });
  await elsewhere(page, "open", { person: "2001", pin: bench.pin });
  for (const words of ["decks 6 preinspected", "cut dealer 100", "place 90", "load", "burn"]) await elsewhere(page, words);
  await shownNow(page);
}

// The number of the prompt that is on the page, as the table has it now.
export async function shownNow(page) {
  const { prompt_number: number } = await screenOf(page);
  await page.waitForFunction((wanted) => Number(document.getElementById("kiosk").dataset.prompt) >= wanted, number);
}

export async function until(what, holds) {
  for (let tries = 0; tries < 12_000; tries += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${what} did not come`);
}

// A finger that stays until the key has acted.
export async function hold(page, selector) {
  await page.locator(selector).first().waitFor();
  await page.waitForTimeout(320);
  const box = await page.locator(selector).first().boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.waitForTimeout(1300);
  await page.mouse.up();
}

export function check(condition, what) {
  if (!condition) throw new Error(what);
}

// Taps a number and a PIN, by what the shuffled keys say.
export async function identify(page, number, pin) {
  await page.locator('#zone[data-page="sign"]').waitFor();
  // Two people: the first has signed, and the page says who is missing.
  if (await page.locator(".signatures").count()) await page.locator('[data-id="amber"]').click();
  const own = page.locator(`.pad-side .tile.chosen:has(b:text-is("${number}"))`);
  if (!(await page.locator(".pad.shuffled").count()) || !(await own.count())) {
    const tile = page.locator(`#zone .tile:has(b:text-is("${number}"))`);
    if (await tile.count()) await tile.click();
    else {
      if (!(await page.locator(".pad:not(.shuffled)").count())) await page.locator('#zone .tile:has(b:text-matches("^Other"))').click();
      await page.waitForSelector(".pad:not(.shuffled)");
      for (const digit of String(number)) await page.locator(`.pad .pad-key:has(b:text-is("${digit}"))`).click();
      await tapLive(page, '[data-id="amber"]');
    }
  }
  await typePin(page, pin);
}

// A PIN for the number that is chosen.
export async function typePin(page, pin) {
  await page.waitForSelector(".pad.shuffled .pad-key");
  for (const digit of pin) await page.locator(`.pad .pad-key:has(b:text-is("${digit}"))`).click();
  await page.locator('[data-id="amber"]').click();
  await page.waitForFunction(() => !document.getElementById("kiosk").classList.contains("sent"));
}

// A slot takes no tap right after the order changed.
export async function tapLive(page, selector) {
  await page.locator(selector).first().waitFor();
  await page.waitForTimeout(320);
  await page.locator(selector).first().click();
}

// Where devices act by themselves, a key may be gone before a finger is on it; whoever taps then looks again.
export async function tapIfThere(page, selector) {
  await page.waitForTimeout(320);
  await page.locator(selector).first().click({ timeout: 1000 }).catch(() => null);
}

// Nothing hangs out of its box, nothing scrolls, no text is below its floor, and what can be touched is large enough for a
// finger. A page that has just changed its size draws itself again with its next frame, on a busy machine some frames later.
export async function measure(page, where, patience = PATIENCE) {
  const until = Date.now() + patience;
  let found = await misfits(page);
  while (found.length > 0 && Date.now() < until) found = await misfits(page);
  check(found.length === 0, `${where}: ${found.join("; ")}`);
}

// 12 mm at 1.93 mm a rem; the floor of every text is 1.8 rem.
const TARGET_REM = 6.2;
const TEXT_REM = 1.8;

function misfits(page) {
  return page.evaluate(async ([target, floor]) => {
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    const wrong = [];
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const body = document.scrollingElement;
    if (body.scrollHeight > innerHeight + 1 || body.scrollWidth > innerWidth + 1) wrong.push("the page scrolls");
    const name = (node) => `${node.id || node.className || node.tagName} "${node.textContent.slice(0, 40)}"`;
    const visible = (node) => node.getClientRects().length > 0;
    for (const box of document.querySelectorAll("#order, #strip, #strip .end, #zone, #zone *, #why, #why *, .slot, .tool, .why-key")) {
      if (!visible(box) || box instanceof SVGElement) continue;
      if (box.scrollHeight > box.clientHeight + 2 && getComputedStyle(box).overflow !== "visible") wrong.push(`${name(box)} is cut below`);
      if (box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0 && getComputedStyle(box).overflowX !== "visible") wrong.push(`${name(box)} is cut at the side`);
    }
    // Cells that do not fit fall off the strip as a whole; the first one and the end have to be there, whole and large enough.
    const line = document.getElementById("strip").getBoundingClientRect();
    for (const [at, cell] of [...document.querySelectorAll("#strip .cell, #strip .end")].entries()) {
      const box = cell.getBoundingClientRect();
      const range = document.createRange();
      range.selectNodeContents(cell);
      const text = range.getBoundingClientRect();
      const fallen = box.top >= line.bottom - 1;
      if (fallen && (at === 0 || cell.matches(".end"))) wrong.push(`strip: ${name(cell)} has fallen off`);
      if (fallen || !cell.textContent.trim()) continue;
      if (text.right > Math.min(box.right, line.right) + 1 || text.left < box.left - 1 || text.bottom > line.bottom + 2 || text.top < line.top - 2) wrong.push(`strip: ${name(cell)} is cut`);
      const size = parseFloat(getComputedStyle(cell).fontSize);
      if (size < floor * rem - 0.1) wrong.push(`strip: ${name(cell)} is ${(size / rem).toFixed(2)} rem`);
    }
    for (const inner of document.querySelectorAll("#order *, #zone b, #zone small, #zone span, #actions b, #actions small, #actions .label, #why p")) {
      if (!visible(inner) || inner.children.length > 0) continue;
      const range = document.createRange();
      range.selectNodeContents(inner);
      const text = range.getBoundingClientRect();
      const holder = inner.closest(".seat, .slot, .tool, .tile, .pad-key, #dealer, #focus, #order, .cell, .steps, .steps-side, .readout, #why, .why-key, .service")?.getBoundingClientRect();
      if (text.width > 0 && holder && (text.right > holder.right + 1 || text.left < holder.left - 1 || text.bottom > holder.bottom + 2 || text.top < holder.top - 2)) wrong.push(`${name(inner)} hangs out`);
      const size = parseFloat(getComputedStyle(inner).fontSize);
      if (inner.textContent.trim() && size < floor * rem - 0.1) wrong.push(`${name(inner)} is ${(size / rem).toFixed(2)} rem`);
    }
    for (const button of document.querySelectorAll("button")) {
      if (!visible(button)) continue;
      const box = button.getBoundingClientRect();
      if (box.height < target * rem || box.width < target * rem) wrong.push(`too small: ${name(button)} ${(box.width / rem).toFixed(1)}x${(box.height / rem).toFixed(1)} rem`);
    }
    return wrong;
  }, [TARGET_REM, TEXT_REM]);
}

// The contrast of every text with what lies behind it, with all that is seen through: 4.5 to 1 at least, large text 4 to 1.
// Empty wells say what is closed, and a zone that is not current is grey on purpose: both are left out.
export function contrast(page) {
  return page.evaluate(() => {
    const channels = (text) => {
      const [red, green, blue, alpha = 1] = (/rgba?\(([^)]+)\)/.exec(text)?.[1] ?? "0 0 0 0").split(/[ ,/]+/).filter(Boolean).map(Number);
      return { rgb: [red, green, blue], alpha };
    };
    // One layer over another, both seen through as far as they are.
    const over = (front, behind) => {
      const alpha = front.alpha + behind.alpha * (1 - front.alpha);
      return { alpha, rgb: front.rgb.map((value, at) => (alpha === 0 ? 0 : (value * front.alpha + behind.rgb[at] * behind.alpha * (1 - front.alpha)) / alpha)) };
    };
    // What is seen at a point of this element that shows `layer`: its ground, then its elders', each with its opacity.
    const seen = (node, layer) => {
      let now = layer;
      for (let each = node; each; each = each.parentElement) {
        const style = getComputedStyle(each);
        now = over(now, channels(style.backgroundColor));
        now = { ...now, alpha: now.alpha * Number(style.opacity) };
      }
      return over(now, { rgb: [0, 0, 0], alpha: 1 }).rgb;
    };
    const light = (rgb) => {
      const [red, green, blue] = rgb.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const faint = [];
    let lowest = { ratio: Infinity, text: "" };
    for (const node of document.querySelectorAll("#kiosk *")) {
      const text = [...node.childNodes].filter((each) => each.nodeType === Node.TEXT_NODE).map((each) => each.textContent).join("").trim();
      if (!text || node.getClientRects().length === 0 || node instanceof SVGElement || node.closest(".well, .ghost, [aria-disabled=true], [hidden], .ghost-chip, .dim #zone")) continue;
      const style = getComputedStyle(node);
      const [one, other] = [channels(style.color), { rgb: [0, 0, 0], alpha: 0 }].map((layer) => light(seen(node, layer))).sort((a, b) => b - a);
      const ratio = (one + 0.05) / (other + 0.05);
      const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.5 && Number(style.fontWeight) >= 600);
      if (ratio < (large ? 4 : 4.5)) faint.push(`"${text.slice(0, 30)}" has ${ratio.toFixed(2)} to 1`);
      if (ratio < lowest.ratio) lowest = { ratio, text: text.slice(0, 30) };
    }
    return { lowest, faint: faint.slice(0, 5) };
  });
}

// What axe-core calls serious or critical: contrast, names, roles. It is given to the page, which asks for nothing itself.
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
export async function serious(page) {
  if (!(await page.evaluate(() => Boolean(window.axe)))) await page.evaluate(await readFile(AXE, "utf8"));
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"], iframes: false }));
  const said = (rule) => rule.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 90)}${node.any[0]?.data?.contrastRatio ? ` (${node.any[0].data.contrastRatio})` : ""}`).join(" | ");
  return violations.filter((rule) => ["serious", "critical"].includes(rule.impact)).map((rule) => `axe ${rule.id}: ${said(rule)}`);
}
