// What is signed, in words, and who may sign it. The table says by its permissions which act takes a PIN; a page keeps no
// list of its own.

import { money } from "./money.js";

const ROLES = { dealer: "Dealer", floorperson: "Floor", manager: "Manager", technician: "Technician", auditor: "Auditor" };
export const roleName = (role) => ROLES[role] ?? role;
// `Manager or floor`.
export const rolesName = (roles) => roles.map((role, at) => (at ? roleName(role).toLowerCase() : roleName(role))).join(" or ");

const pending = (screen) => screen?.lines.find((line) => !line.confirmed && line.approval);
const line = (screen) => (pending(screen) ? `${money(pending(screen).pays_cents)}, seat ${pending(screen).position}` : "this line");

// Longest words first: `inspect floor` before `inspect`.
const WORDS = [
  ["floor approve", (screen) => `pay ${line(screen)}`], ["manager approve", (screen) => `pay ${line(screen)}`],
  ["floor void", () => "void this round"], ["floor reshuffle", () => "reshuffle after the round"], ["floor recut", () => "cut the cards again"],
  ["reader-repaired", () => "the reader is repaired"], ["shuffler-repaired", () => "the shuffler is repaired"], ["shuffle device", () => "the machine has shuffled"],
  ["inspect floor", () => "the cards are inspected"], ["irregularity", () => "the shuffler failed"], ["correct", () => "take the last step back"],
  ["dealer-change", () => "relief of the dealer"], ["permit", (screen, words) => `seat ${words.split(" ")[1] ?? ""} may come in`],
  ["payments back", () => "payments are taken back"], ["payments", () => "payments stand"],
  ["reject", (screen) => `reject${pending(screen) ? ` seat ${pending(screen).position}'s` : " the"} jackpot`],
  ["open", () => "open the table"], ["close", () => "close the table"],
];

const ACTIONS = {
  visit: () => "open a visit", "sign-in": () => "deal at this table", clear: () => "the cause is gone", "begin-inspection": () => "begin the inspection",
  "inspection-answer": () => "this inspection", "enter-service": () => "begin service", "leave-service": () => "end service", "test-device": () => "test a device",
  "confirm-clock": () => "the clock is right", "correct-meter": () => "change a meter", "pair-device": (screen, action) => `pair the ${action.device ?? "device"}`, "replace-reader": (screen, action) => `new reader${action.serial ? ` ${action.serial}` : ""}`,
  "settled-by-hand": () => "old round settled by hand", "accept-journal": () => "go on from this journal", acknowledge: () => "alert is seen", "acknowledge-all": () => "all alerts are seen",
  "open-work-order": () => "work for the technician", "close-work-order": (screen, action) => `work order ${action.order ?? ""} done`.replace("  ", " "), "pause-inspection": () => "pause the inspection", "sign-out": () => "leave this table",
};

// For the prompt bar: `void this round`. Nothing where nobody has found words for it yet: a test sees to that.
export function said(screen, action) {
  if (action.do !== "play") return ACTIONS[action.do]?.(screen, action) ?? null;
  const found = WORDS.find(([word]) => action.words === word || action.words.startsWith(`${word} `));
  return found ? found[1](screen, action.words) : null;
}

// Whether somebody in this visit may do it at all, and whether it takes their PIN again.
export const row = (visit, act) => visit?.may.find((each) => each.act === act) ?? null;
export const may = (visit, act) => row(visit, act) !== null;
export function signs(visit, action) {
  if (action.do !== "play") return Boolean(row(visit, action.do)?.signature);
  const fits = visit?.may.filter(({ act }) => action.words === act || action.words.startsWith(`${act} `)) ?? [];
  return Boolean(fits.sort((one, other) => other.act.length - one.act.length)[0]?.signature);
}
