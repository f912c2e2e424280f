// Work orders: what the technician has to see to, oldest first; closed with what was done, tapped and signed.

import { capital } from "../core/inspecting.js";
import { amber, key, well } from "../core/keys.js";
import { may } from "../core/signing.js";
import { ofVisit, whenOf } from "../core/visits.js";
import { plural } from "../core/text.js";

const DONE = [["Cleaned", "lens, slot, contacts"], ["Adjusted", "or tightened"], ["Part replaced", "lamp, sensor, cable"], ["Unit replaced", "reader, shuffler, shoe"], ["New seal", "number at inspection"], ["Test set replaced", "another sealed set"], ["Nothing found", "works as it should"], ["Something else", "report goes along"]];
const BESIDE = 2;

export const open = () => ({ order: null, closing: false, done: null });

const sentence = (text) => `${capital(text)}${/[.!?]$/.test(text) ? "" : "."}`;

export function view(screen, state, local) {
  const all = screen.work_orders;
  const at = Math.max(0, all.findIndex((each) => each.order === state.order));
  const now = all[at];
  if (!now) return ofVisit(screen, local, "work orders", "Nothing to see to.", { zone: { kind: "sheet", panels: [{ title: "✓ No work order is open", tone: "ok", text: ["A failed step of an inspection makes one."], rows: [] }] }, slots: [] });
  if (state.closing) return closing(screen, state, local, now);
  const { fault } = now;
  const panel = {
    tone: "act", title: `${now.order} · ${capital(now.place)}`, text: [sentence(now.what), ...(fault ? [sentence(fault.remedy)] : [])],
    columns: 2, rows: [["Since", whenOf(now.since_ms)], ["From", now.source], ["By", String(now.opened_by)], ["Record", String(now.opened_sequence)]],
  };
  const others = [...all.slice(at + 1), ...all.slice(0, at)];
  const tiles = others.slice(0, BESIDE).map((each) => ({ label: `${each.order} · ${capital(each.place)}`, note: whenOf(each.since_ms), act: { page: { order: each.order } }, wrap: true }));
  return ofVisit(screen, local, "work orders", `${plural(all.length, "work order")} open.`, {
    zone: { kind: "sheet", panels: [panel], ...(tiles.length ? { list: { tiles, note: others.length > BESIDE ? `and ${others.length - BESIDE} more` : null } } : {}) },
    slots: [all.length > 1 ? key("A", "Next", `${at + 1} of ${all.length}`, { page: { order: others[0].order } }, { pageKey: true }) : well("A"),
      may(local.visit, "close-work-order") ? amber("It is done", `order ${now.order}`, { page: { closing: true, order: now.order } }, { icon: "check", pageKey: true }) : well("D", 2, "Technician's")],
  });
}

function closing(screen, state, local, now) {
  const tiles = DONE.map(([label, note]) => ({ label, note, chosen: label === state.done, act: { page: { done: label } } }));
  const sign = { sign: { do: "close-work-order", order: now.order, done: (state.done ?? "").toLowerCase() } };
  return ofVisit(screen, local, `order ${now.order}`, "What was done?", {
    zone: { kind: "tiles", columns: 2, rows: 4, tiles },
    slots: [key("A", "Back", "to the order", { page: { closing: false, done: null } }, { pageKey: true }), state.done ? amber("Sign it off", "technician: PIN", sign, { icon: "badge", pageKey: true }) : well("D", 2, "Choose what")],
  });
}

export const step = (screen, state, act) => ({ state: { ...state, ...act } });
