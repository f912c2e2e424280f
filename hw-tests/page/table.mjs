// The real controller behind lines of JSON (crates/table-simulator, example `page_table`), and the page's own view of it.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { PAGES, isOfVisit, pageOf } from "../../crates/dealer-screen/assets/core/pages.js";
import { view } from "../../crates/dealer-screen/assets/core/view.js";
import { houseSettings } from "../../crates/dealer-screen/tests/screens.js";

// What a manager may do, from the printed table of permissions.
const ROLES = readFileSync(new URL("../../docs/security/roles.md", import.meta.url), "utf8");
const rows = ROLES.split("\n").map((line) => line.split("|").map((cell) => cell.trim())).filter((cells) => cells[1]?.startsWith("`"));
const MANAGER = { number: 1, person: 3001, role: "manager", seconds: 60, token: "t", may: rows.filter((cells) => ["visit", "PIN"].includes(cells[4])).map((cells) => ({ act: cells[1].replaceAll("`", ""), signature: cells[4] === "PIN" })) };

export function pageTable(program) {
  const child = spawn(program, [], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (asked) => {
    child.stdin.write(`${JSON.stringify(asked)}\n`);
    return next();
  };
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error("the table ended");
    const told = JSON.parse(value);
    if (told.failed !== undefined) throw new Error(told.failed);
    return told;
  };
  const stop = async () => {
    child.stdin.end();
    if (child.exitCode === null) await once(child, "exit");
  };
  return { ask, next, stop };
}

// What the page itself knows, as it stands before anybody has tapped anything.
export const local = (screen, more = {}) => ({
  page: null, own: null, look: null, why: false, refused: null, dropped: null, pending: {}, saving: false, gone: false, settings: houseSettings, people: [], visit: null, read: {}, insured: null,
  sensors: screen.seats.some((seat) => seat.lamps.some((lamp) => lamp.wager === "main")), ...more,
});

// A visitor's pages are a manager's, who may do most.
export const shown = (screen, more = {}) => view(screen, local(screen, isOfVisit(more.page?.name) ? { visit: MANAGER, ...more } : more));

// The page that an act opens, as main.js opens it.
export function opened(screen, act) {
  const args = act.sign ? { action: act.sign, people: [] } : act;
  const name = act.sign ? "sign" : act.open;
  if (!PAGES[name]) return null;
  return { name, state: PAGES[name].open(screen, args) };
}

export { pageOf };

// Every key that a finger could press on this view: slots, tools, seats, tiles, pads.
export function keysOf(built) {
  const found = [];
  const walk = (each, where) => {
    if (Array.isArray(each)) return each.forEach((one) => walk(one, where));
    if (!each || typeof each !== "object") return undefined;
    if (each.act || each.hold) found.push({ where, label: each.label ?? (each.seat ? `seat ${each.seat}` : ""), act: each.act ?? null, hold: each.hold ?? null, id: each.id ?? null });
    for (const [name, value] of Object.entries(each)) if (name !== "act" && name !== "hold") walk(value, where);
    return undefined;
  };
  walk(built.slots, "slot");
  walk(built.tools, "tool");
  walk(built.zone, "zone");
  return found;
}

// What an act would ask of the table, if anything.
export function actionOf(act) {
  if (!act) return null;
  if (act.send) return act.send;
  if (act.sign) return act.sign;
  if (act.toggle) return { do: "play", words: act.toggle.to === "in" ? `wager ${act.toggle.seat} main` : `unwager ${act.toggle.seat} main` };
  return null;
}
