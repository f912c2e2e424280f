// What is open, worst first, in full words: what it means, what the table does, what to do; seen one by one or all at once.

import { amber, key, well, wide } from "../core/keys.js";
import { may } from "../core/signing.js";
import { ofVisit, timeOf } from "../core/visits.js";
import { plural } from "../core/text.js";

export const open = () => ({ alert: null });

const rank = (alert) => (alert.acknowledged_by === null ? 0 : 2) + (alert.severity === "stop" ? 0 : 1);
export const worstFirst = (screen) => [...screen.alerts].sort((one, other) => rank(one) - rank(other) || other.alert - one.alert);

const sentence = (text) => (text ? `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}` : "");
const sign = (alert) => (alert.severity === "stop" ? "✕" : "!");
const BESIDE = 2;

// Counted as the order counts them: what is open, and apart from it what was seen.
const place = (at, open, all) => (at < open ? `${at + 1} of ${open}` : `seen ${at - open + 1}/${all - open}`);

function panel(alert) {
  const { fault } = alert;
  const tone = alert.severity === "stop" ? "stop" : "act";
  return {
    tone, title: `${sign(alert)} ${sentence(alert.text).replace(/\.$/, "")}`, right: alert.ended ? "cause gone" : null,
    text: fault ? [sentence(fault.meaning), sentence(fault.remedy)] : ["Look at the table, then say that you have seen it."],
    columns: 2, rows: [["Since", alert.ended ? `${timeOf(alert.since_ms)} – ${timeOf(alert.over_since_ms)}` : timeOf(alert.since_ms)], ["From", fault?.code ?? alert.source],
      ...(alert.acknowledged_by === null ? [] : [["Seen by", String(alert.acknowledged_by)]])],
  };
}

// What does not stand beside: how many are open, how many were seen.
function beside(rest) {
  const open = rest.filter((alert) => alert.acknowledged_by === null).length;
  const said = [open ? plural(open, "more open", "more open") : null, rest.length > open ? `✓ ${rest.length - open} seen` : null].filter(Boolean);
  return said.length ? said.join(" · ") : null;
}

export function view(screen, state, local) {
  const all = worstFirst(screen);
  const unseen = all.filter((alert) => alert.acknowledged_by === null);
  const at = Math.max(0, all.findIndex((alert) => alert.alert === state.alert));
  const alert = all[at];
  const order = unseen.length ? `${unseen.length} open, worst first.` : all.length ? "All are seen." : "Nothing is open.";
  if (!alert) {
    return ofVisit(screen, local, "alerts", order, { zone: { kind: "sheet", panels: [{ title: "✓ Nothing is open", tone: "ok", text: screen.stops.map((stop) => `No next round: ${stop.reason} (${stop.source}).`), rows: [] }] }, slots: [] });
  }
  // The next ones after this: a tap shows one in full.
  const others = [...all.slice(at + 1), ...all.slice(0, at)];
  const tiles = others.slice(0, BESIDE).map((each) => ({ label: `${each.acknowledged_by === null ? sign(each) : "✓"} ${sentence(each.text).replace(/\.$/, "")}`, note: `${each.source} · ${timeOf(each.since_ms)}`, tone: each.acknowledged_by === null ? "act" : null, act: { page: { alert: each.alert } }, wrap: true }));
  const next = unseen.find((each) => each.alert !== alert.alert)?.alert ?? null;
  const main = alert.acknowledged_by === null && may(local.visit, "acknowledge")
    ? amber("Acknowledge", next === null ? "this one" : "this one, next", { send: { do: "acknowledge", alert: alert.alert }, pageStep: { alert: next } }, { icon: "check", pageKey: true })
    : may(local.visit, "clear") ? wide("D", "Cause gone", "checked: PIN", { sign: { do: "clear", alert: alert.alert } }, { pageKey: true }) : well("D", 2, "Read only");
  const many = unseen.length > 1 && may(local.visit, "acknowledge-all")
    ? wide("B", `All ${unseen.length}`, "acknowledge", { send: { do: "acknowledge-all" }, pageStep: { alert: null } }, { pageKey: true }) : well("B", 2);
  return ofVisit(screen, local, "alerts", order, {
    zone: { kind: "sheet", panels: [panel(alert)], list: tiles.length ? { tiles, note: beside(others.slice(BESIDE)) } : null },
    slots: [all.length > 1 ? key("A", "Next", place(at, unseen.length, all.length), { page: { alert: all[(at + 1) % all.length].alert } }, { pageKey: true }) : well("A"), many, main],
  });
}

export const step = (screen, state, act) => ({ state: { ...state, ...act } });
