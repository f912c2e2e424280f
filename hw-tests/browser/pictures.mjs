// Every state of the dealer's page from made-up screens, in three panels: measured, and photographed where asked.
//
//     node pictures.mjs ASSETS [SHOTS]

import { createServer } from "node:http";
import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { browser, check, contrast, measure, serious } from "./bench.mjs";
import * as screens from "../../crates/dealer-screen/tests/screens.js";

const [assets, shots] = process.argv.slice(2);
// One state or one panel alone, for whoever draws.
const { STATE: only, PANEL: one } = process.env;
if (shots) mkdirSync(shots, { recursive: true });

// The panels of the direction: pixels, and pixels a millimetre.
const PANELS = [["800x480", 800, 480, 5.25], ["1280x800", 1280, 800, 5.9], ["7in-1280x800", 1280, 800, 8.5]];
const TYPES = { ".js": "text/javascript", ".css": "text/css", ".html": "text/html" };

// A number, six digits, Sign; and a visit with them.
const PIN = Array.from({ length: 6 }, (_, at) => `.pad.shuffled .pad-key:nth-child(${at + 2})`);
const VISIT = ['[data-tool="floor"]', ".tiles .tile", ...PIN, '[data-id="amber"]'];
// The floor comes to an inspection that runs.
const INSPECTS = ['[data-id="amber"]', ...VISIT.slice(1)];
const tileSign = (sign) => `.pad-key:has(b:text-is("${sign}"))`;
const tileNamed = (name) => `.tiles .tile:has(b:text-is("${name}"))`;

// Name of the picture, screen, taps that lead to it.
const STATES = [
  ["wagering-same-boxes", screens.wageringEmpty], ["wagering-lock", screens.wageringBoxes],
  ["wagering-amount", screens.wageringBoxes, [".slot.at-1", '.amount-seats [data-word], .amount-seats button:nth-child(4)', '[data-chip="25"]']],
  ["dealing", screens.dealing], ["insurance", screens.insurance], ["decisions", screens.decisions], ["why", screens.decisions, [".why-key"]],
  ["look", screens.decisions, ['[data-seat="6"]']], ["bust", screens.bust], ["reveal", screens.reveal], ["settlement-take", screens.settleTake], ["settlement-pay", screens.settlePay],
  ["problem", screens.problem, ['[data-tool="problem"]']], ["problem-card", screens.problem, ['[data-tool="problem"]', ".tiles .tile"]],
  ["problem-question", screens.problem, ['[data-tool="problem"]', ".tiles .tile", ".tiles .tile"]],
  ["problem-outcome", screens.problem, ['[data-tool="problem"]', ".tiles .tile", ".tiles .tile", '.ranks .pad-key:has(b:text-is("8"))', ".slot.at-3"]], ["problem-void", screens.problem, ['[data-tool="problem"]', ".tiles .tile", tileNamed("More than one")]],
  ["reasons", screens.problem, ['[data-tool="problem"]', ".slot.at-3", ".tiles .tile:nth-child(2)"]],
  ["procedure-up", screens.procedureUp], ["procedure-players", screens.procedurePlayers], ["card-pad", screens.tapIn, [".ranks .pad-key:nth-child(7)"]], ["card-pad-sides", screens.doubleShoe], ["reader-told", screens.peekTold],
  ["stopped", screens.stopped], ["signed-out", screens.signedOut], ["sign-number", screens.signedOut, ['[data-id="amber"]']],
  ["visit-people", screens.decisions, ['[data-tool="floor"]']], ["visit-pin", screens.decisions, VISIT.slice(0, 6)], ["floor", screens.alerts, VISIT], ["floor-more", screens.alerts, [...VISIT, ".slot.at-1"]],
  ["alerts", screens.alerts, [...VISIT, tileNamed("Alerts")]], ["recall", screens.decisions, [...VISIT, tileNamed("Recall"), ".frame:nth-child(6)", ".frame:nth-child(6)", ".frame:nth-child(6)"]], ["day", screens.alerts, [...VISIT, tileNamed("Day")]], ["meters", screens.alerts, [...VISIT, tileNamed("Meters"), ".sheet-side .tile:nth-child(2)"]],
  ["devices", screens.alerts, [...VISIT, tileNamed("Devices")]], ["identity", screens.alerts, [...VISIT, tileNamed("Identity"), ".sheet-top .tile:nth-child(2)"]], ["closing", screens.closing, [...VISIT, tileNamed("Closing")]], ["look-at-table", screens.decisions, [...VISIT, '[data-tool="cancel"]']],
  ["relief", screens.wageringBoxes, [...VISIT, tileNamed("Relief")]], ["sign-void", screens.stopped, [...VISIT, ["hold", tileNamed("Void round")]]], ["two-people", screens.alerts, [...VISIT, ".slot.at-1", tileNamed("Clock is right"), ...PIN, '[data-id="amber"]']],
  ["inspection-seals", screens.inspectionSeals, INSPECTS], ["inspection-cards", screens.inspectionCards, INSPECTS], ["inspection-sign", screens.inspectionSign, INSPECTS],
  ["inspection-first", screens.inspectionFirst, INSPECTS], ["inspection-asked", screens.inspectionAsked, [...INSPECTS, tileSign("0"), tileSign("7")]], ["inspection-housing", screens.inspectionHousing, INSPECTS], ["inspection-cards-full", screens.inspectionCardsFull, INSPECTS], ["inspection-wrong", screens.inspectionWrong, [...INSPECTS, ".tiles .tile"]], ["inspection-counters", screens.inspectionCounters, INSPECTS], ["inspection-failed", screens.inspectionFailed, INSPECTS],
  ["inspection-record", screens.inspected, [...VISIT, tileNamed("Inspection")]], ["inspection-record-failed", screens.inspected, [...VISIT, tileNamed("Inspection"), ".slot.at-2"]], ["work-orders", screens.workOrders, [...VISIT, ".slot.at-1", tileNamed("Work orders")]], ["inspection-nobody", screens.inspectionCards],
  ["jackpot-hand", screens.jackpotHand], ["jackpot-lamp", screens.jackpotLamp], ["jackpot", screens.jackpotFloor], ["jackpot-second", screens.jackpotSecond], ["jackpot-most", screens.jackpotMost], ["jackpot-unseen", screens.jackpotUnseen], ["jackpot-visit", screens.jackpotFloor, VISIT],
  ["jackpot-reject", screens.jackpotFloor, [["hold", '[data-id="reject"]'], ".tiles .tile:nth-child(2)"]], ["jackpot-two-people", screens.jackpotSecond, ['[data-id="amber"]']],
  ["payments", screens.paymentsAsked, [".slot.at-2", ".tiles .tile:nth-child(3)"]], ["payments-asked", screens.paymentsAsked], ["opening", screens.opening], ["opening-meters", { ...screens.opening, meters: screens.alerts.meters }],
  ["stress", screens.stress], ["stress-settlement", screens.stressSettlement],
  ["saving", { ...screens.decisions, saving: true }],
];

// The players' display has sizes of its own.
const DISPLAYS = [["1280x720", 1280, 720], ["1920x1080", 1920, 1080]];
const PLAYERS = [["players-meter", screens.players], ["players-pending", screens.playersPending], ["players-most", screens.playersMost], ["players-posting", screens.playersPosting]];

// What the page asks for beside the stream: people, pads, a floorperson's visit, and a second person for whatever is signed.
const { token, may, ...visit } = screens.floorVisit;
const ANSWERS = {
  "/api/v1/people": { people: screens.people }, "/api/v1/pad": { pad: "p", digits: [7, 2, 9, 0, 4, 1, 8, 5, 3, 6] }, "/api/v1/visit": { token, may, visit }, "/api/v1/visit/touch": { visit }, "/api/v1/visit/leave": { visit: null },
  "/api/v1/act": { status: 403, error: "needs-person", second: true, roles: ["manager", "floorperson"], signed: { person: 2041, role: "floorperson", kept_s: 600 }, reason: "the clock was moved: this takes a second person", clause: "C-TWO" },
};

let now = null;
let told = null;
let perMm = 5.9;
const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://here").pathname;
  if (path === "/api/v1/events") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = () => response.write(`event: screen\nid: 1\ndata: ${JSON.stringify(now)}\n\nevent: saving\ndata: ${Boolean(now.saving)}\n\n`);
    send();
    const alive = setInterval(() => response.write("event: alive\ndata:\n\n"), 500);
    request.on("close", () => clearInterval(alive));
  } else if (path === "/api/v1/settings") {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ ...screens.houseSettings, px_per_mm: perMm }));
  } else if (path === "/api/v1/players") {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(told ?? screens.playersMost));
  } else if (path.startsWith("/api/v1/outlook/")) {
    const words = decodeURIComponent(path.slice("/api/v1/outlook/".length));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(words.includes("13.B") ? screens.outlookVoid : screens.outlook));
  } else if (ANSWERS[path] ?? screens.read[path]) {
    const { status = 200, ...said } = ANSWERS[path] ?? screens.read[path];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(said));
  } else if (path.startsWith("/api/")) {
    response.writeHead(404, { "content-type": "application/json" }).end("{}");
  } else {
    const file = path === "/" ? "index.html" : path === "/meters" ? "players/index.html" : path.replace("/assets/", "");
    const body = await readFile(join(assets, file)).catch(() => null);
    response.writeHead(body ? 200 : 404, { "content-type": TYPES[extname(file)] ?? "text/plain" }).end(body ?? "");
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;

const app = await browser();
const failures = [];
// The text that is hardest to read anywhere.
let faintest = { ratio: Infinity, text: "", where: "" };
try {
  for (const [panel, width, height, mm] of PANELS.filter(([name]) => !one || one === name)) {
    perMm = mm;
    const page = await app.newPage({ viewport: { width, height } });
    page.on("pageerror", (error) => failures.push(`${panel}: ${error}`));
    for (const [name, screen, taps = []] of STATES) {
      if (only && !only.split(",").includes(name)) continue;
      now = { ...screen, prompt_number: screen.prompt_number + 1 };
      await page.goto(address);
      await page.waitForFunction(() => document.querySelector("#actions .slot"));
      await page.waitForTimeout(350);
      for (const tap of taps) await touch(page, tap);
      await page.waitForTimeout(taps.length > 5 ? 100 : 0);
      try {
        await measure(page, `${name} ${panel}`, 1000);
      } catch (error) {
        failures.push(error.message);
      }
      failures.push(...(await serious(page)).map((what) => `${name} ${panel}: ${what}`));
      const { lowest, faint: read } = await contrast(page);
      failures.push(...read.map((what) => `${name} ${panel}: ${what}`));
      if (lowest.ratio < faintest.ratio) faintest = { ...lowest, where: `${name} ${panel}` };
      if (shots) await page.screenshot({ path: join(shots, `${name}-${panel}.png`) });
    }
    await page.close();
  }
  for (const [size, width, height] of DISPLAYS.filter(([name]) => !one || one === name)) {
    const page = await app.newPage({ viewport: { width, height } });
    page.on("pageerror", (error) => failures.push(`${size}: ${error}`));
    for (const [name, said] of PLAYERS) {
      if (only && !only.split(",").includes(name)) continue;
      told = said;
      await page.goto(`${address}meters`);
      await page.locator("#players footer").waitFor();
      await page.waitForTimeout(100);
      failures.push(...(await hangsOut(page)).map((what) => `${name} ${size}: ${what}`));
      failures.push(...(await serious(page)).map((what) => `${name} ${size}: ${what}`));
      if (shots) await page.screenshot({ path: join(shots, `${name}-${size}.png`) });
    }
    await page.close();
  }
} finally {
  await app.close();
  server.close();
  server.closeAllConnections();
}
check(failures.length === 0, failures.join("\n"));
console.log(`ok ${STATES.length} states in ${PANELS.length} panels, ${PLAYERS.length} of the players' display in ${DISPLAYS.length}; axe found nothing serious; lowest contrast ${faintest.ratio.toFixed(1)} to 1: "${faintest.text}" (${faintest.where})`);

// A tap, or a finger that stays: `["hold", what]`.
async function touch(page, what) {
  if (typeof what === "string") return page.locator(what).first().click({ timeout: 5000 });
  const box = await page.locator(what[1]).first().boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.locator(what[1]).first().waitFor({ state: "detached", timeout: 5000 });
  return page.mouse.up();
}

// Nothing of the players' display leaves its box or the picture.
function hangsOut(page) {
  return page.evaluate(() => {
    const wrong = [];
    for (const node of document.querySelectorAll("#players h1, #players p, #players b, #players small, #players h2, #players footer span")) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const text = range.getBoundingClientRect();
      const box = (node.closest(".boxes div, .panel, footer") ?? document.getElementById("players")).getBoundingClientRect();
      if (text.width > 0 && (text.left < box.left - 1 || text.right > box.right + 1 || text.top < box.top - 1 || text.bottom > box.bottom + 1)) wrong.push(`"${node.textContent}" hangs out`);
    }
    const [left, right] = document.querySelectorAll("footer > *");
    if (left && right && left.getBoundingClientRect().right > right.getBoundingClientRect().left) wrong.push("the foot's two sides meet");
    return wrong;
  });
}
