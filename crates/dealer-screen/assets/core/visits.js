// What every page of a visit has in common: whose it is, the table in small, Leave, and the way back to the tiles.

import { fill } from "./keys.js";
import { roleName } from "./signing.js";
import { tableInSmall } from "./strip.js";

export const who = (local) => (local.visit ? `${roleName(local.visit.role)} ${local.visit.person}` : "Floor");
export const leaveKey = { label: "Leave", note: "back to table", act: { leave: true } };
export const floorPages = { id: "cancel", icon: "tiles", label: "Floor pages", act: { open: "floor" }, span: 2 };
export const printTool = { id: "print", icon: "print", label: "Print", act: { print: true } };

// `name`: which page it is. `order`: the bold line. `rest`: zone, slots, tools.
export function ofVisit(screen, local, name, order, { slots = [], tools = [floorPages], ...rest }) {
  return {
    prompt: { tone: "ink", situation: `${who(local)} · ${name}`, order, paraphrase: null },
    strip: local.refused || local.dropped ? null : tableInSmall(screen, local),
    key: leaveKey, tools, slots: fill(slots), ...rest,
  };
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

// `Thu 14 May 2026`: a gaming day, in days since 1970.
export function dayName(day) {
  const date = new Date(day * 86_400_000);
  return `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

const two = (number) => String(number).padStart(2, "0");

// By the clock on the wall where the screen stands.
export function timeOf(ms, seconds = false) {
  if (ms === null || ms === undefined) return "–";
  const date = new Date(ms);
  return `${two(date.getHours())}:${two(date.getMinutes())}${seconds ? `:${two(date.getSeconds())}` : ""}`;
}

export function whenOf(ms) {
  if (ms === null || ms === undefined) return "–";
  const date = new Date(ms);
  return `${WEEKDAYS[date.getDay()]} ${date.getDate()} ${MONTHS[date.getMonth()]} ${timeOf(ms)}`;
}
