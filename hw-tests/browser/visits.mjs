// Visits on the real daemon's interface: the Floor key and PINs, pages by role, signatures of one and of two people, an
// inspection, a visit that ends while its page is open, and the film of a round that was dealt.
//
//     node visits.mjs BENCH_TABLE SUBMISSIONS

import { join } from "node:path";
import { browser, check, enter, identify, measure, screenOf, table, tapLive, typePin } from "./bench.mjs";

const [program, submissions] = process.argv.slice(2);
const SMALL = { width: 800, height: 480 };
const shown = (page, name) => page.locator(`#zone[data-page="${name}"]`).waitFor();
const tap = (page, name) => page.locator(`#zone .tile:has(b:text-is("${name}"))`).click();
const strip = (page) => page.locator("#strip").innerText();
const until = async (what, holds) => {
  for (let tries = 0; tries < 12_000; tries += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${what} did not come`);
};

const app = await browser();
const bench = await table(program, join(submissions, "blackjack-all-wagers.toml"));
try {
  const { page, complaints, close } = await enter(app, bench, SMALL);
  const posts = [];
  page.on("request", (request) => request.method() === "POST" && posts.push([new URL(request.url()).pathname, request.postData()]));
  await noPinNoFloor(page);
  await inspection(page);
  await opened(page);
  await pages(page);
  await twoPeople(page);
  await replaced(page);
  await over(page);
  await film(page);
  check(posts.every(([, body]) => !body.includes(bench.pin)), "a PIN was sent as digits");
  check(complaints.length === 0, complaints.join("; "));
  await close();
} finally {
  await app.close();
  await bench.stop();
}

async function begin(page, number) {
  await page.locator('[data-tool="floor"]').click();
  await identify(page, number, bench.pin);
}

async function leave(page) {
  await page.locator(".why-key").click();
  await page.locator('[data-tool="floor"]').waitFor();
}

// The Floor key leads to a number and a PIN and to nothing else; a wrong PIN opens nothing.
async function noPinNoFloor(page) {
  await page.locator('[data-tool="floor"]').click();
  await shown(page, "sign");
  await identify(page, 2001, "864209");
  await until("the word about the wrong PIN", async () => (await strip(page)).includes("wrong"));
  check((await page.locator('#zone[data-page="floor"]').count()) === 0, "a wrong PIN opened the floor's pages");
  await page.locator('[data-tool="cancel"]').click();
  await page.locator('[data-tool="floor"]').waitFor();
  await page.keyboard.press("/");
  await shown(page, "sign");
  await page.locator('[data-tool="cancel"]').click();
  console.log("ok no PIN, no floor page");
}

// Begun in a visit without a PIN, signed with one.
async function inspection(page) {
  await begin(page, 2001);
  await shown(page, "floor");
  await measure(page, "floor", 2000);
  await tap(page, "Inspection");
  await shown(page, "inspection");
  await measure(page, "inspection", 2000);
  await tapLive(page, '[data-id="amber"]');
  await shown(page, "sign");
  check(await page.locator('.tile.chosen:has(b:text-is("2001"))').count() === 1, "the visitor is asked for their number");
  await typePin(page, bench.pin);
  await until("the end of the inspection", async () => (await screenOf(page)).day.inspected);
  await shown(page, "record");
  await measure(page, "record", 2000);
  await leave(page);
  console.log("ok inspection: one PIN for the visit, one for the signature");
}

// A dealer signs in by the number that is typed; the table is opened with a floorperson's PIN, in a visit.
async function opened(page) {
  await tapLive(page, '[data-id="amber"]');
  await identify(page, 1042, bench.pin);
  await until("the dealer", async () => (await screenOf(page)).signed_in === 1042);
  await tapLive(page, '[data-id="amber"]');
  await identify(page, 2001, bench.pin);
  await until("an open table", async () => (await screenOf(page)).stage === "preparing");
  console.log("ok opened by a floorperson's PIN");
}

async function pages(page) {
  await begin(page, 2001);
  for (const [tile, name] of [["Alerts", "alerts"], ["Day", "day"], ["Meters", "meters"], ["Devices", "devices"], ["Identity", "identity"]]) {
    await shown(page, "floor");
    await tap(page, tile);
    await shown(page, name);
    await measure(page, name, 2000);
    await page.locator('[data-tool="cancel"]').click();
  }
  check(await page.locator("#actions .slot.tone-act").count() === 0, "something waits at a table where nothing does");
  await page.locator('[data-tool="cancel"]').click();
  await shown(page, "table");
  check(await page.locator("#zone button").count() === 0, "a visitor can press the dealer's seats");
  await leave(page);
  // A manager has more, a technician less.
  await begin(page, 4001);
  await shown(page, "floor");
  check(await page.locator('#zone button:has(b:text-is("Recall"))').count() === 0 && await page.locator('#zone button:has(b:text-is("Devices"))').count() === 1, "a technician reads rounds");
  await leave(page);
  console.log("ok pages by role");
}

// A technician and a floorperson, one after the other, each with their own PIN.
async function twoPeople(page) {
  await begin(page, 4001);
  await tap(page, "Devices");
  await page.locator('.slot:has(b:text-is("New reader"))').click();
  for (const sign of "R2") await page.locator(`.pad-key:has(b:text-is("${sign}"))`).click();
  await tapLive(page, '[data-id="amber"]');
  await typePin(page, bench.pin);
  await page.locator(".signatures").waitFor();
  check((await strip(page)).includes("not 4001"), await strip(page));
  await measure(page, "two people", 2000);
  await identify(page, 2001, bench.pin);
  await until("the new reader's inspection", async () => (await screenOf(page)).stops.length > 0 || (await page.locator('#zone[data-page="floor"]').count()) > 0);
  check(!(await strip(page)).includes("pad"), await strip(page));
  await leave(page);
  console.log("ok two people, one after the other");
}

// Another page begins a visit: this one's is over at once, and nothing of it stays.
async function replaced(page) {
  await begin(page, 2001);
  await tap(page, "Day");
  await shown(page, "day");
  const other = await fetch(`${bench.address}/api/v1/visit`, { method: "POST", headers: { authorization: `Bearer ${bench.token}`, "content-type": "application/json" }, body: JSON.stringify({ person: "3001", pin: bench.pin }) });
  check(other.status === 200, `the other visit: ${other.status}`);
  await until("the end of the visit", async () => (await strip(page)).includes("visit is over"));
  check((await page.locator('#zone[data-page="day"]').count()) === 0, "a page of a visit that is over");
  console.log("ok a visit that ends under its page");
}

// The table ends the visit in the middle of a PIN, as it does when the time is up: nothing is signed, the dealer's keys are back.
async function over(page) {
  const begun = page.waitForResponse((response) => new URL(response.url()).pathname === "/api/v1/visit");
  await begin(page, 2001);
  const { token } = await (await begun).json();
  await shown(page, "floor");
  await page.locator('.slot:has(b:text-is("More"))').click();
  await tap(page, "Clock is right");
  await page.locator(".pad.shuffled .pad-key").first().click();
  await fetch(`${bench.address}/api/v1/visit/leave`, { method: "POST", headers: { authorization: `Bearer ${bench.token}`, "content-type": "application/json" }, body: JSON.stringify({ visit: token }) });
  await until("the end of the visit", async () => (await strip(page)).includes("visit is over"));
  check((await page.locator('#zone[data-page="sign"]').count()) === 0, "a PIN is typed in a visit that is over");
  await page.locator('[data-tool="floor"]').waitFor();
  console.log("ok a visit that ends in the middle of a PIN");
}

// A round by the interface, then its film.
async function film(page) {
  const say = (words) => page.evaluate(async (said) => {
    const screen = await (await fetch("/api/v1/screen")).json();
    const reply = await fetch("/api/v1/act", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ key: crypto.randomUUID(), prompt: screen.prompt_number, action: { do: "play", words: said } }) });
    return reply.ok ? null : JSON.stringify(await reply.json());
  }, words);
  for (const words of ["decks 6 preinspected", "cut dealer 100", "place 90", "load", "burn", "wager 1 main 25", "wager 3 main 25", "lock", "card 9h", "card 6c", "card Kd", "card 8s", "card 5c", "card ?", "peek no", "stand", "card 8d", "stand", "reveal 9c", "settled"]) {
    const refused = await say(words);
    check(refused === null, `${words}: ${refused}`);
  }
  await begin(page, 2001);
  await tap(page, "Recall");
  await page.locator(".frame").first().waitFor();
  for (let frame = 0; frame < 60 && await page.locator('[data-id="amber"]').count(); frame += 1) {
    await measure(page, "film", 2000);
    await page.locator('[data-id="amber"]').click();
  }
  check((await page.locator("#text").innerText()).includes("Round over"), await page.locator("#text").innerText());
  await leave(page);
  console.log("ok the film of a round");
}
