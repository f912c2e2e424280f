// A bench table and a browser on it.

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { once } from "node:events";
import { basename, extname, join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

export const PATIENCE = 60_000;

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
  page.setDefaultTimeout(PATIENCE);
  if (process.env.ASSETS) await page.route(/\/assets\//, fromDisk);
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource|net::ERR/.test(message.text())) complaints.push(message.text());
  });
  await page.goto(bench.enter);
  await page.waitForSelector("body:not(.gone) #actions button");
  return { page, complaints, close: () => context.close() };
}

// With ASSETS the page's files come from that folder instead of those built in, to try a change at once.
async function fromDisk(route) {
  const name = basename(new URL(route.request().url()).pathname);
  const contentType = { ".js": "text/javascript", ".css": "text/css" }[extname(name)];
  await route.fulfill({ body: await readFile(join(process.env.ASSETS, name)), contentType });
}

export const screenOf = (page) => page.evaluate(() => fetch("/api/v1/screen").then((answer) => answer.json()));

export function check(condition, what) {
  if (!condition) throw new Error(what);
}

// Types a number and a PIN on the overlay, by what the shuffled keys say.
export async function identify(page, number, pin) {
  await page.waitForSelector("#pinpad:not([hidden]) .pad:not(.shuffled)");
  for (const digit of String(number)) await page.locator(`#pinpad .pad button:has(b:text-is("${digit}"))`).click();
  await page.locator("#pin-enter").click();
  await page.waitForSelector("#pinpad .pad.shuffled");
  for (const digit of pin) await page.locator(`#pinpad .pad button:has(b:text-is("${digit}"))`).click();
  await page.locator("#pin-enter").click();
  await page.waitForSelector("#pinpad", { state: "hidden" });
}

// Nothing hangs out of its box, nothing scrolls, and what can be touched is large enough for a finger. A page that has just
// changed its size draws itself again with its next frame, on a busy machine some frames later.
export async function measure(page, where) {
  const patience = Date.now() + PATIENCE;
  let found = await misfits(page);
  while (found.length > 0 && Date.now() < patience) found = await misfits(page);
  check(found.length === 0, `${where}: ${found.join("; ")}`);
}

function misfits(page) {
  return page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    const wrong = [];
    const body = document.scrollingElement;
    if (body.scrollHeight > innerHeight + 1 || body.scrollWidth > innerWidth + 1) wrong.push("the page scrolls");
    const order = document.getElementById("order");
    if (order.scrollHeight > order.clientHeight + 1) wrong.push(`the order does not fit: ${order.innerText}`);
    for (const box of document.querySelectorAll(".seat, .hands, #dealer, #focus, .line, .line .why, #inspection ol, #lines, #why")) {
      if (box.scrollHeight > box.clientHeight + 2 || box.scrollWidth > box.clientWidth + 2) {
        wrong.push(`${box.id || box.className} hides something: ${box.innerText.replaceAll("\n", " ")}`);
      }
    }
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    for (const button of document.querySelectorAll("#actions button")) {
      const box = button.getBoundingClientRect();
      if (box.height < 6.2 * rem || box.width < 6.2 * rem) wrong.push(`too small: ${button.innerText} ${box.width}x${box.height}`);
      if (button.scrollWidth > button.clientWidth + 1) wrong.push(`does not fit: ${button.innerText}`);
    }
    return wrong;
  });
}
