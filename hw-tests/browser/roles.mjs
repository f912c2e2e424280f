// Every role is refused what is not its own, at the page and past it; two screens of one table are never taken for each
// other; a visit that nobody touches ends by itself, in the middle of a PIN too; and how long a tap and an event take to
// be on the page, printed and not judged.
//
//     node roles.mjs BENCH_TABLE SUBMISSIONS

import { join } from "node:path";
import { browser, check, elsewhere, enter, identify, measure, readyForBets, screenOf, shownNow, table, tapLive, until } from "./bench.mjs";

const [program, submissions] = process.argv.slice(2);
const { HOLECARD_LONG: long } = process.env;
const SMALL = { width: 800, height: 480 };
const strip = (page) => page.locator("#strip").innerText();
const shown = (page, name) => page.locator(`#zone[data-page="${name}"]`).waitFor();
const post = (page, address, body) => page.evaluate(async ([path, sent]) => {
  const reply = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(sent) });
  return { status: reply.status, body: await reply.json() };
}, [address, body]);

const app = await browser();
const bench = await table(program, join(submissions, "blackjack-all-wagers.toml"));
try {
  const { page, complaints, close } = await enter(app, bench, SMALL);
  await readyForBets(page, bench);
  await relieved(page);
  await refused(page);
  await ownPages(page);
  await twoScreens(page);
  await called(page);
  await latencies(page);
  if (long) await timedOut(page);
  check(complaints.length === 0, complaints.join("; "));
  await close();
} finally {
  await app.close();
  await bench.stop();
}

// The next dealer's own PIN, without a visit, and then the burn card.
async function relieved(page) {
  await page.locator('[data-tool="floor"]').click();
  await page.locator('.slot:has(b:text-is("Relief"))').click();
  await page.locator(".relief").waitFor();
  await measure(page, "relief", 2000);
  check((await page.locator(".relief").innerText()).includes("Burn one card"), "the page does not say that a card is burnt");
  await identify(page, 3001, bench.pin);
  await until("the other dealer", async () => (await screenOf(page)).signed_in === 3001);
  check((await screenOf(page)).prompt.offers.some((each) => each.word === "burn"), "no burn card for the new dealer");
  await tapLive(page, '[data-word="burn"]');
  await until("the burn", async () => !(await screenOf(page)).prompt.offers.some((each) => each.word === "burn"));
  console.log("ok relief: the next dealer's own PIN, then the burn card");
}

// A request for each row of the table of permissions, by everybody whose role it is not: refused for who they are, and
// nothing changes. What takes two is refused with one.
async function refused(page) {
  const { permissions } = await page.evaluate(async () => {
    const told = await (await fetch("/api/v1/permissions")).json();
    return { permissions: told.permissions ?? told };
  });
  const named = { technician: 4001, auditor: 5001, dealer: 1042, floorperson: 2001, manager: 3001 };
  const actions = {
    correct: { do: "play", words: 'correct "a slip"' }, "floor reshuffle": { do: "play", words: "floor reshuffle" }, close: { do: "play", words: "close" }, payments: { do: "play", words: 'payments back "x"' }, reject: { do: "play", words: 'reject "x"' },
    lock: { do: "play", words: "lock" }, "enter-service": { do: "enter-service" }, "correct-meter": { do: "correct-meter", wager: "super-4", meter: "spade", pool: "meter", cents: 100, reason: "x" }, "replace-reader": { do: "replace-reader", serial: "R-9" },
    "begin-inspection": { do: "begin-inspection", full: false }, "confirm-clock": { do: "confirm-clock" }, "accept-journal": { do: "accept-journal", reason: "x" }, "settled-by-hand": { do: "settled-by-hand", reason: "x" }, "call-floor": { do: "call-floor" }, "acknowledge-all": { do: "acknowledge-all" },
  };
  const { sequence } = await screenOf(page);
  let asked = 0;
  for (const [act, action] of Object.entries(actions)) {
    const row = permissions.find((each) => each.act === act);
    check(row, `no row for ${act}`);
    for (const [role, person] of Object.entries(named).filter(([each]) => !row.roles.includes(each))) {
      const answer = await post(page, "/api/v1/act", { key: `${act}-${role}`.replaceAll(" ", "-"), prompt: (await screenOf(page)).prompt_number, action, person: String(person), pin: bench.pin });
      check(answer.status !== 200, `${role} may ${act}`);
      check(["refused", "needs-person", "forbidden"].includes(answer.body.error) && !JSON.stringify(answer.body).includes(bench.pin), `${role}, ${act}: ${JSON.stringify(answer.body)}`);
      asked += 1;
    }
  }
  const alone = await post(page, "/api/v1/act", { key: "alone", prompt: null, action: actions["replace-reader"], person: "4001", pin: bench.pin });
  check(alone.status !== 200 && alone.body.second === true, `one person did what takes two: ${JSON.stringify(alone.body)}`);
  check((await screenOf(page)).sequence === sequence, "something that was refused is on record");
  console.log(`ok ${asked} requests refused for who asked`);
}

// The pages of each role: what is not its own is a ghost and cannot be pressed; a dealer's PIN opens no visit.
async function ownPages(page) {
  const may = { 4001: ["Alerts", "Devices", "Identity"], 5001: ["Alerts", "Recall", "Day", "Devices", "Identity"], 2001: ["Day", "Closing", "Inspection"] };
  const never = { 4001: ["Recall", "Day", "Closing", "Correct", "Void round", "Inspection", "Reshuffle"], 5001: ["Closing", "Correct", "Void round", "Inspection", "Reshuffle"], 2001: [] };
  for (const person of Object.keys(may)) {
    await page.locator('[data-tool="floor"]').click();
    await identify(page, Number(person), bench.pin);
    await shown(page, "floor");
    const live = async (name) => (await page.locator(`#zone button:has(b:text-is("${name}"))`).count()) > 0;
    for (const name of never[person]) check(!(await live(name)), `${person} can press ${name}`);
    for (const name of may[person].filter((each) => each !== "Recall")) check(await live(name), `${person} cannot press ${name}`);
    await page.locator(".why-key").click();
    await page.locator('[data-tool="floor"]').waitFor();
  }
  await page.locator('[data-tool="floor"]').click();
  await identify(page, 1042, bench.pin);
  await until("the word that a dealer opens no visit", async () => /visit|may not|takes/i.test(await strip(page)));
  check((await page.locator('#zone[data-page="floor"]').count()) === 0, "a dealer opened the floor's pages");
  if (await page.locator('[data-tool="cancel"]').count()) await page.locator('[data-tool="cancel"]').click();
  console.log("ok pages by role");
}

// The same page on a second screen: a visit belongs to one, a tap on an older order is dropped on the other, and what one
// types is nothing to the other.
async function twoScreens(page) {
  const { page: other, close } = await enter(app, bench, SMALL);
  await page.locator('[data-tool="floor"]').click();
  await identify(page, 2001, bench.pin);
  await shown(page, "floor");
  await shownNow(other);
  check((await other.locator('#zone[data-page="floor"]').count()) === 0 && (await other.locator('[data-seat="1"]').count()) === 1, "a visit opened on both screens");
  // The dealer deals on at the other one; the visitor's page stays what it is, and its strip follows.
  for (const seat of [1, 3]) await other.locator(`[data-seat="${seat}"]`).click();
  await until("two boxes", async () => (await screenOf(page)).seats.filter((each) => each.in_play).length === 2);
  await until("the boxes in the visitor's strip", async () => (await strip(page)).includes("3 ●"));
  await shown(page, "floor");
  // Two PIN pads are two pads: a digit here is none there.
  await tapLive(page, '.slot:has(b:text-is("More"))');
  await page.locator('#zone .tile:has(b:text-is("Clock is right"))').click();
  await page.locator(".pad.shuffled .pad-key").first().click();
  await other.locator('[data-tool="floor"]').click();
  await shown(other, "sign");
  check((await other.locator(".dot.full").count()) === 0, "a digit of one screen is on the other");
  await other.locator('[data-tool="cancel"]').click();
  // A lock at one screen makes a tap for the order before it void at the other.
  await page.locator('[data-tool="cancel"]').click();
  await page.locator(".why-key").click();
  await page.waitForTimeout(400);
  const box = await page.locator('[data-id="amber"]').boundingBox();
  await tapLive(other, '[data-id="amber"]');
  await until("the lock", async () => (await screenOf(page)).locked);
  const { sequence } = await screenOf(page);
  await shownNow(page);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForTimeout(200);
  check((await screenOf(page)).sequence === sequence, "a tap for an order that the other screen answered was taken");
  // A visit that begins at the other one ends this one's.
  await page.locator('[data-tool="floor"]').click();
  await identify(page, 2001, bench.pin);
  await shown(page, "floor");
  await other.locator('[data-tool="floor"]').click();
  await identify(other, 3001, bench.pin);
  await shown(other, "floor");
  await until("the end of the first visit", async () => (await strip(page)).includes("visit is over"));
  check((await page.locator('#zone[data-page="floor"]').count()) === 0, "two visits at one table");
  await other.locator(".why-key").click();
  await close();
  console.log("ok two screens of one table");
}

// The dealer calls the floor by two taps; the call is over when somebody of the floor has come.
async function called(page) {
  await page.locator('[data-tool="floor"]').click();
  await page.locator('[data-id="call"]').click();
  const calls = async () => (await screenOf(page)).alerts.filter((alert) => alert.source === "TC-045" && !alert.ended);
  await until("the call", async () => (await calls()).length === 1);
  await page.locator('[data-tool="floor"]').click();
  await page.locator('.slot:has-text("Called")').waitFor();
  await identify(page, 2001, bench.pin);
  await shown(page, "floor");
  // The bench has no journal that would hear of a visit; the controller's own test ends the call with one.
  await page.locator(".why-key").click();
  console.log("ok the floor is called");
}

// From the moment that the daemon is asked by somebody else, and from a finger's leaving the screen, to the frame with
// the change in it. Figures of the machine that runs this: nothing is judged by them.
async function latencies(page) {
  await page.evaluate(() => {
    window.repaints = [];
    const zone = document.getElementById("kiosk");
    new MutationObserver(() => {
      const at = performance.now();
      requestAnimationFrame(() => setTimeout(() => window.repaints.push({ at, painted: performance.now() })));
    }).observe(zone, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  const first = (from) => page.evaluate((since) => new Promise((resolve) => {
    const look = () => {
      const found = window.repaints.find((each) => each.at >= since);
      if (found) resolve({ dom: found.at - since, painted: found.painted - since });
      else setTimeout(look, 1);
    };
    look();
  }), from);
  const events = [];
  const taps = [];
  for (const card of ["9h", "6c", "Kd", "8s", "5c"]) {
    await page.waitForTimeout(50);
    const from = await page.evaluate(async (words) => {
      const screen = await (await fetch("/api/v1/screen")).json();
      const now = performance.now();
      fetch("/api/v1/act", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ key: crypto.randomUUID(), prompt: screen.prompt_number, action: { do: "play", words } }) });
      return now;
    }, `card ${card}`);
    events.push(await first(from));
    await shownNow(page);
  }
  await page.evaluate(() => document.addEventListener("pointerup", () => { window.lifted = performance.now(); }, true));
  for (let times = 0; times < 5; times += 1) {
    await page.locator(".why-key").click();
    taps.push(await first(await page.evaluate(() => window.lifted)));
    await page.waitForTimeout(50);
  }
  const middle = (list, key) => [...list].map((each) => each[key]).sort((one, two) => one - two)[Math.floor(list.length / 2)].toFixed(1);
  check(events.length === 5 && taps.length === 5, "nothing was measured");
  console.log(`ok event to DOM ${middle(events, "dom")} ms, to the frame ${middle(events, "painted")} ms; tap to DOM ${middle(taps, "dom")} ms, to the frame ${middle(taps, "painted")} ms (medians of 5)`);
}

// Nobody touches the page: after its minute the table ends the visit, whatever stands there. Only in the long run.
async function timedOut(page) {
  await page.locator('[data-tool="floor"]').click();
  await identify(page, 2001, bench.pin);
  await shown(page, "floor");
  await tapLive(page, '.slot:has(b:text-is("More"))');
  await page.locator('#zone .tile:has(b:text-is("Clock is right"))').click();
  await page.locator(".pad.shuffled .pad-key").first().click();
  await until("the end of the visit", async () => (await strip(page)).includes("visit is over"));
  check((await page.locator('#zone[data-page="sign"]').count()) === 0, "a PIN is typed in a visit that is over");
  console.log("ok a visit that times out in the middle of a PIN");
}
