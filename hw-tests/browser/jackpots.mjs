// A jackpot on the real daemon's interface, by touch: the dealer's two looks, approved by two people one after the other,
// rejected by two people with a reason, and read by somebody who may do neither. Beside it payments before a void, and what
// an irregularity would lead to.
//
//     node jackpots.mjs BENCH_TABLE SUBMISSIONS

import { join } from "node:path";
import { browser, check, elsewhere, enter, hold, identify, measure, readyForBets, screenOf, shownNow, table, tapLive, typePin, until } from "./bench.mjs";

const [program, submissions] = process.argv.slice(2);
const SMALL = { width: 800, height: 480 };
const AMBER = '[data-id="amber"]';
const shown = (page, name) => page.locator(`#zone[data-page="${name}"]`).waitFor();
const tile = (page, name) => page.locator(`#zone .tile:has(b:text-is("${name}"))`);
const strip = (page) => page.locator("#strip").innerText();

const app = await browser();
let bench = null;
try {
  await at("players-edge-21-all-wagers", async (page) => {
    const posts = [];
    page.on("request", (request) => request.method() === "POST" && posts.push(request.postData() ?? ""));
    await opened(page);
    await approved(page);
    await rejected(page);
    await onlyRead(page);
    check(posts.length > 0 && posts.every((body) => !body.includes(bench.pin)), "a PIN was sent as digits");
  });
  await at("spanish-21", async (page) => {
    await readyForBets(page, bench);
    await foretold(page);
    await payments(page);
  });
} finally {
  await app.close();
}

async function at(submission, run) {
  bench = await table(program, join(submissions, `${submission}.toml`));
  try {
    const { page, complaints, close } = await enter(app, bench, SMALL);
    await run(page);
    check(complaints.length === 0, complaints.join("; "));
    await close();
  } finally {
    await bench.stop();
  }
}

// The opening as a page: what is to be compared, and the floorperson's signature beside the dealer's.
async function opened(page) {
  await tapLive(page, AMBER);
  await identify(page, 1042, bench.pin);
  await shown(page, "opening");
  await measure(page, "opening", 2000);
  check((await page.locator(".opening-boxes").innerText()).includes("1042"), "the dealer who has signed in is not named");
  await tapLive(page, AMBER);
  await identify(page, 2001, bench.pin);
  await until("an open table", async () => (await screenOf(page)).stage === "preparing");
  for (const words of ["decks 6 preinspected", "cut dealer 100", "place 90", "load", "burn"]) await elsewhere(page, words);
  console.log("ok the opening is signed by two");
}

// Four eights of one suit: the whole meter.
async function jackpot(page) {
  for (const words of ["wager 1 main 10", "wager 1 monster-match", "lock", "card 8d", "card 8d", "card 8d", "card ?", "stand", "reveal 8d", "card Ks"]) await elsewhere(page, words);
  await shownNow(page);
  await shown(page, "jackpot");
}

async function looks(page) {
  for (const [label, step] of [["Hand seen", "hand"], ["Lamp lit", "lamp"]]) {
    await page.locator(`${AMBER}:has(b:text-is("${label}"))`).waitFor();
    check((await screenOf(page)).verifying.step === step, `the step is ${(await screenOf(page)).verifying.step}`);
    await measure(page, `jackpot, ${step}`, 2000);
    await tapLive(page, AMBER);
  }
  await page.locator(`${AMBER}:has(b:text-is("Approve"))`).waitFor();
}

async function approved(page) {
  await jackpot(page);
  await looks(page);
  const said = await page.locator("#zone").innerText();
  for (const wanted of ["8", "Four of a kind", "12.D(2)(a)", "$5,000.44", "Tell the player", "Floorperson", "Second person"]) check(said.includes(wanted), `the evidence does not say ${wanted}: ${said}`);
  await tapLive(page, AMBER);
  await identify(page, 2001, bench.pin);
  await until("the second person's turn", async () => (await screenOf(page)).verifying?.step === "second");
  await shownNow(page);
  await shown(page, "jackpot");
  check((await page.locator(".evidence-boxes").innerText()).includes("2001"), "the first person is not named");
  await measure(page, "jackpot, second person", 2000);
  await tapLive(page, AMBER);
  await page.locator(".signatures").waitFor();
  check((await strip(page)).includes("not 2001"), await strip(page));
  await page.locator(AMBER).click();
  // Whoever signed first is not among those who may, nor taken by number.
  await until("the people", async () => (await page.locator("#zone .tile, .pad").count()) > 0);
  check((await tile(page, "2001").count()) === 0, "the first person is offered again");
  await identify(page, 3001, bench.pin);
  await until("the end of the verification", async () => !(await screenOf(page)).verifying);
  const { lines } = await screenOf(page);
  check(lines.find((line) => !line.confirmed).wager === "monster-match", "the jackpot is not the line to pay");
  await elsewhere(page, "paid");
  await elsewhere(page, "settled");
  check((await screenOf(page)).day.jackpots === 1, "the jackpot was not paid");
  console.log("ok a jackpot approved by two people, one after the other");
}

async function rejected(page) {
  const before = (await screenOf(page)).meters[0].amount_cents;
  await jackpot(page);
  await looks(page);
  // Let go early and nothing happens; a tap does nothing either.
  await page.locator('[data-id="reject"]').click();
  check((await page.locator('#zone[data-page="jackpot"]').count()) === 1, "a tap rejects");
  await hold(page, '[data-id="reject"]');
  await shown(page, "reasons");
  await measure(page, "reasons to reject", 2000);
  check((await page.locator(AMBER).count()) === 0, "a rejection without a reason");
  await tile(page, "Lamp was dark").click();
  check((await page.locator(".tell").innerText()).includes("lamp was dark"), "what the player is told");
  await tapLive(page, AMBER);
  await identify(page, 2001, bench.pin);
  await page.locator(".signatures").waitFor();
  check((await screenOf(page)).verifying !== undefined, "one person rejected a jackpot");
  check((await strip(page)).includes("not 2001"), await strip(page));
  await identify(page, 3001, bench.pin);
  await until("the rejection", async () => !(await screenOf(page)).verifying);
  const screen = await screenOf(page);
  const next = screen.lines.find((line) => !line.confirmed);
  check(next.wager === "monster-match" && next.outcome === "void" && next.returned_cents === 200 && next.pays_cents === 0, JSON.stringify(next));
  check(screen.meters[0].amount_cents === before && screen.day.jackpots === 1, "a rejected jackpot moved its meter");
  check(screen.alerts.some((alert) => alert.text.includes("lamp was dark") && alert.source.includes("H28")), "no alert tells the floor");
  await elsewhere(page, "settled");
  console.log("ok a jackpot rejected by two people, with a reason");
}

// A technician sees the evidence and no key; the floorperson's visit leads to it at once and approves there.
async function onlyRead(page) {
  await jackpot(page);
  await looks(page);
  await page.locator('[data-tool="floor"]').click();
  await identify(page, 4001, bench.pin);
  await shown(page, "jackpot");
  check((await page.locator(`${AMBER}, [data-id="reject"]`).count()) === 0, "a technician may approve or reject");
  await measure(page, "jackpot, read", 2000);
  await page.locator(".why-key").click();
  await page.locator('[data-tool="floor"]').click();
  await identify(page, 2001, bench.pin);
  await shown(page, "jackpot");
  await tapLive(page, AMBER);
  await typePin(page, bench.pin);
  await until("the first approval", async () => (await screenOf(page)).verifying?.step === "second");
  await shown(page, "jackpot");
  await tapLive(page, AMBER);
  await identify(page, 3001, bench.pin);
  await until("the second approval", async () => !(await screenOf(page)).verifying);
  await page.locator(".why-key").click();
  await elsewhere(page, "paid");
  await elsewhere(page, "settled");
  console.log("ok the evidence by role, and both signatures in one visit");
}

// The wizard shows what follows, says nothing to the table before the last key, and then exactly that happens.
async function foretold(page) {
  for (const words of ["wager 1 main 10", "wager 2 main 20", "lock", "card 9c", "card 8c", "card 7d", "card Kc", "card 9d", "card ?"]) await elsewhere(page, words);
  await shownNow(page);
  const before = (await screenOf(page)).sequence;
  await page.locator('[data-tool="problem"]').click();
  await tile(page, "A card").click();
  await page.locator('#zone .tile:has(small:text-is("and somebody saw it"))').click();
  await page.locator('.ranks .pad-key:has(b:text-is("8"))').click();
  await page.locator(".slot.at-3").click();
  await page.locator('#text:has-text("This is what follows.")').waitFor();
  await page.locator('.step:has-text("Then:")').waitFor();
  await measure(page, "what follows", 2000);
  check((await page.locator(".steps .step").count()) >= 2, "nothing is foretold");
  check((await screenOf(page)).sequence === before, "looking told the table something");
  const foretold = await page.locator('.step:has-text("Then:")').innerText();
  await page.locator(AMBER).click();
  await until("the irregularity", async () => (await screenOf(page)).sequence > before);
  const { prompt } = await screenOf(page);
  check(foretold.includes(prompt.text), `foretold "${foretold}", then "${prompt.text}"`);
  // The round is played to its end.
  for (let tries = 0; tries < 12 && (await screenOf(page)).stage !== "wagering"; tries += 1) {
    const words = (await screenOf(page)).prompt.offers.map((each) => each.word);
    const next = ["refuse", "stand", "reveal", "settled"].find((word) => words.includes(word)) ?? "card";
    await elsewhere(page, { refuse: `refuse ${(await screenOf(page)).prompt.offers.find((each) => each.word === "refuse")?.seats?.[0]}`, reveal: "reveal Kd", card: "card 5s" }[next] ?? next);
  }
  console.log("ok an irregularity's outcome before it is told");
}

// A blackjack is paid, then the round is void: one answer for the payments, by a floorperson, with a reason.
async function payments(page) {
  for (const words of ["wager 1 main 10", "wager 2 main 20", "lock", "card Ac", "card 8c", "card 7d", "card Kc", "card 9d", "card ?"]) await elsewhere(page, words);
  await elsewhere(page, "paid");
  await elsewhere(page, "irregularity 13.B");
  const offers = async () => (await screenOf(page)).prompt.offers.map((each) => each.word);
  for (let tries = 0; tries < 6 && !(await offers()).includes("payments"); tries += 1) await elsewhere(page, "floor approve", { person: "2001", pin: bench.pin });
  check((await offers()).includes("payments"), `after the void: ${await offers()}`);
  await page.locator('[data-tool="floor"]').click();
  await identify(page, 2001, bench.pin);
  await shown(page, "floor");
  await tile(page, "Payments").click();
  await shown(page, "reasons");
  check((await page.locator(".tell").innerText()).includes("$15.00"), await page.locator(".tell").innerText());
  await tile(page, "Cards were wrong").click();
  await measure(page, "payments", 2000);
  await page.locator('.slot:has(b:text-is("Taken back"))').click();
  await typePin(page, bench.pin);
  await until("the answer", async () => !(await offers()).includes("payments"));
  check((await screenOf(page)).lines.some((line) => line.line === "payment taken back"), "nothing is taken back");
  await page.locator(".why-key").click();
  for (let tries = 0; tries < 12 && (await screenOf(page)).stage === "settlement"; tries += 1) {
    const words = await offers();
    await elsewhere(page, words.includes("floor approve") ? "floor approve" : words.includes("paid") ? "paid" : "collected", words.includes("floor approve") ? { person: "2001", pin: bench.pin } : {});
  }
  console.log("ok payments before a void");
}
