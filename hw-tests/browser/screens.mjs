// How the page behaves when things are not a plain round: people and PINs, taps for an older order, silence, no key.
//
//     node screens.mjs BENCH_TABLE SUBMISSIONS

import { join } from "node:path";
import { browser, check, enter, identify, screenOf, table, tapLive } from "./bench.mjs";

const [program, submissions] = process.argv.slice(2);

const strip = (page) => page.locator("#strip").innerText();
const until = (page, text) => page.waitForFunction((wanted) => document.getElementById("strip").innerText.includes(wanted), text);
const shown = (page, number) => page.waitForFunction((wanted) => document.getElementById("kiosk").dataset.prompt === String(wanted), number);

const app = await browser();
const bench = await table(program, join(submissions, "blackjack-all-wagers.toml"));
try {
  const { page, complaints, close } = await enter(app, bench);
  await people(page);
  await taps(page);
  check(complaints.length === 0, complaints.join("; "));
  await silence(page);
  await close();
  await noKey();
} finally {
  await app.close();
  await bench.stop();
}

// Without a dealer there is one thing to do; a wrong PIN is told and may be typed again; a PIN never leaves as digits.
async function people(page) {
  const sent = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.postData()));
  await tapLive(page, '[data-id="amber"]');
  await identify(page, 1042, "864209");
  await until(page, "wrong");
  await identify(page, 1042, bench.pin);
  await until(page, "Dealer 1042");
  check(sent.length === 2 && sent.every((body) => JSON.parse(body).pad && !body.includes(bench.pin)), "a PIN was sent without its pad");
  console.log("ok people");
}

// What another screen of the table says.
async function elsewhere(page, words, by = {}) {
  const { prompt_number: prompt } = await screenOf(page);
  const answer = await page.evaluate(([said, number, person]) => fetch("/api/v1/act", {
    method: "POST", headers: { "content-type": "application/json" },
    body: JSON.stringify({ key: crypto.randomUUID(), prompt: number, action: { do: "play", words: said }, ...person }),
  }).then((reply) => reply.json()), [words, prompt, by]);
  check(answer.accepted, `${words}: ${JSON.stringify(answer)}`);
}

// A second tap on the same spot does nothing; seats go in and out as fast as a finger; a dropped tap is said.
async function taps(page) {
  for (const words of ["open", "decks 6 preinspected", "cut dealer 100", "place 90", "load"]) await elsewhere(page, words, words === "open" ? { person: "2001", pin: bench.pin } : {});
  await page.waitForSelector('[data-seat="1"]');
  for (const seat of [1, 2, 3]) await page.locator(`[data-seat="${seat}"]`).click();
  await page.locator('[data-seat="2"]').click();
  const boxes = async () => (await screenOf(page)).seats.filter((seat) => seat.in_play).map((seat) => seat.seat).join(" ");
  for (let tries = 0; (await boxes()) !== "1 3" && tries < 12_000; tries += 1) await page.waitForTimeout(25);
  check((await boxes()) === "1 3", `boxes ${await boxes()}`);
  // The order changes while a finger comes down: within 300 ms nothing is taken, whatever the label says.
  await page.waitForTimeout(400);
  const box = await page.locator('[data-id="amber"]').boundingBox();
  await elsewhere(page, "wager 4 main");
  await shown(page, (await screenOf(page)).prompt_number);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await until(page, "not taken");
  check((await screenOf(page)).stage === "wagering", "a tap within the dead time locked the table");
  // A double tap on the lock: the second one does not fall on what comes after it.
  await page.waitForTimeout(400);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { clickCount: 2, delay: 10 });
  for (let tries = 0; (await screenOf(page)).stage === "wagering" && tries < 12_000; tries += 1) await page.waitForTimeout(25);
  const screen = await screenOf(page);
  check(screen.stage === "dealing" && screen.seats.every((seat) => seat.hands.every((hand) => hand.cards.length === 0)), `after a double tap: ${screen.stage}`);
  console.log("ok taps");
}

// The table goes away: within seconds the page says that it is not current, and offers nothing to tap.
async function silence(page) {
  await bench.stop();
  await page.waitForSelector("#kiosk.dim");
  check((await strip(page)).includes("not current"), await strip(page));
  check((await page.locator("#actions button.slot").count()) === 0, "a key can be tapped while the table is away");
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
