// The pages that stand in the place of the seats, and which of them the table itself calls for.
//
// A page is pure: `open` makes its state, `view` makes parts of the view from it, `step` answers a tap on one of its keys
// with a new state, an act for the table, or both. One module for each.

import * as alerts from "../pages/alerts.js";
import * as amounts from "../pages/amounts.js";
import * as cards from "../pages/cards.js";
import * as choose from "../pages/choose.js";
import * as closing from "../pages/closing.js";
import * as day from "../pages/day.js";
import * as devices from "../pages/devices.js";
import * as floor from "../pages/floor.js";
import * as identity from "../pages/identity.js";
import * as inspection from "../pages/inspection.js";
import * as jackpot from "../pages/jackpot.js";
import * as letters from "../pages/letters.js";
import * as meters from "../pages/meters.js";
import * as number from "../pages/number.js";
import * as opening from "../pages/opening.js";
import * as problem from "../pages/problem.js";
import * as procedure from "../pages/procedure.js";
import * as reasons from "../pages/reasons.js";
import * as recall from "../pages/recall.js";
import * as record from "../pages/record.js";
import * as sign from "../pages/sign.js";
import * as stopped from "../pages/stopped.js";
import * as table from "../pages/table.js";
import * as work from "../pages/work.js";

export const PAGES = { alerts, amounts, cards, choose, closing, day, devices, floor, identity, inspection, jackpot, letters, meters, number, opening, problem, procedure, reasons, recall, record, sign, stopped, table, work };

// Opened by a number and a PIN alone, and gone with the visit.
const OF_VISIT = ["alerts", "closing", "day", "devices", "floor", "identity", "meters", "recall", "record", "table", "work"];
export const isOfVisit = (name) => OF_VISIT.includes(name);

// Called for by the table: shown as long as it stands so, unless somebody has opened another page.
const BY_ITSELF = ["stopped", "inspection", "jackpot", "opening", "procedure", "cards"];

export function pageOf(screen, local) {
  const name = BY_ITSELF.find((each) => PAGES[each].isDue(screen, local));
  if (!name) return null;
  const kept = local.own?.name === name ? local.own.state : PAGES[name].open(screen, {});
  return { name, state: kept, page: PAGES[name], own: true };
}
