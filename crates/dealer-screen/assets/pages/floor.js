// The visit's home: what waits, worst first, and the pages of the visitor's role in tiles that never move. What cannot be
// done now is a ghost; what is rare stands on the second side.

import { betweenRounds, lastSettled } from "../core/film.js";
import { amber, wide } from "../core/keys.js";
import { offer, offersOf, say } from "../core/offers.js";
import { may } from "../core/signing.js";
import { ofVisit } from "../core/visits.js";
import { plural } from "../core/text.js";
import { worstFirst } from "./alerts.js";

export const open = () => ({ more: false });

const READERS = ["floorperson", "manager", "auditor"];

function pages(screen, local) {
  const { visit } = local;
  const reads = READERS.includes(visit?.role);
  const open_ = screen.alerts.filter((alert) => alert.acknowledged_by === null).length;
  const ill = screen.devices.filter((device) => device.present && (!device.up || device.faults.length)).length;
  const offered = (word, act = word) => may(visit, act) && offer(screen, word);
  const tile = (label, note, icon, act, more = {}) => ({ label, note, icon, act: act || null, ghost: !act, ...more });
  // It goes on where it runs already, and is not begun in a round.
  const inspects = betweenRounds(screen) && screen.mode !== "inspection";
  const work = screen.work_orders.length;
  const unbalanced = screen.meters.some((meter) => !meter.balanced);
  return [
    tile("Alerts", open_ ? `${open_} open` : "none open", "bell", { open: "alerts" }, { tone: open_ ? "stop" : null }),
    tile("Recall", lastSettled(screen) > 0 ? `last: ${lastSettled(screen)}` : "no round yet", "film", reads && lastSettled(screen) > 0 && { open: "recall" }),
    tile("Day", plural(screen.day.rounds, "round"), "bars", reads && { open: "day" }),
    tile("Meters", screen.meters.length === 0 ? "none here" : unbalanced ? "✕ off balance" : "✓ balance", "gauge", reads && screen.meters.length > 0 && { open: "meters" }, { tone: unbalanced ? "stop" : null }),
    tile(screen.signed_in === null ? "Sign in" : "Relief", screen.signed_in === null ? "a dealer" : `from ${screen.signed_in}`, "swap", { sign: { do: "sign-in" } }),
    tile("Devices", ill ? `${ill} to watch` : "✓ all well", "plug", { open: "devices" }, { tone: ill ? "act" : null }),
    may(visit, "close-work-order") ? tile("Work orders", work ? `${work} open` : "none open", "plug", { open: "work" }, { tone: work ? "act" : null })
      : tile("Inspection", ...inspection(screen, visit, inspects)),
    tile("Closing", offer(screen, "close") ? "end of the day" : "not now", "door", offered("close") && { open: "closing" }),
    tile("Correct", "take back", "undo", offered("correct") && { open: "reasons" }),
    offered("payments") ? tile("Payments", "stand or back", "void", { open: "reasons", of: "payments" }, { tone: "act" })
      : { label: "Void round", note: offered("floor void") ? "hold: all back" : "not now", icon: "void", act: null, hold: offered("floor void") ? say("floor void") : null, ghost: !offered("floor void"), ticks: Boolean(offered("floor void")), id: "void" },
    tile("Reshuffle", "after round", "shuffle", offered("floor reshuffle") && say("floor reshuffle")),
    tile("Identity", "version, hashes", "hash", { open: "identity" }),
  ];
}

// It is begun, goes on where somebody paused, or shows what was signed.
function inspection(screen, visit, inspects) {
  const begin = may(visit, "begin-inspection") && inspects && { send: { do: "begin-inspection", full: false } };
  const paused = screen.inspection?.paused;
  if (screen.day.inspected && !paused) return ["✓ passed", "shield", READERS.includes(visit?.role) && { open: "record" }, {}];
  return [paused ? `paused, step ${screen.inspection.step}` : inspects ? "not passed yet" : "after the round", "shield", begin, { tone: "act" }];
}

function rare(screen, local) {
  const { visit } = local;
  const sign = (label, note, action, icon) => (may(visit, action.do) ? [{ label, note, icon, act: { sign: action } }] : []);
  const words = (word, label, note, icon) => (may(visit, word) && offer(screen, word) ? [{ label, note, icon, act: say(word) }] : []);
  const permits = may(visit, "permit") ? offersOf(screen, "permit").flatMap((each) => (each.seats ?? []).slice(0, 2).map((seat) => ({ label: `Permit seat ${seat}`, note: "mid-shoe entry", icon: "person", act: say(`permit ${seat}`) }))) : [];
  return [
    ...words("floor recut", "Cut again", "once more", "shuffle"), ...permits,
    ...(may(visit, "begin-inspection") && betweenRounds(screen) && screen.mode !== "inspection" ? [{ label: "Full inspection", note: "all test cards", icon: "shield", act: { send: { do: "begin-inspection", full: true } } }] : []),
    ...(offer(screen, "idle") ? [{ label: "Table idle", note: "cards spread", icon: "card", act: say("idle") }] : []),
    ...(READERS.includes(visit?.role) && !screen.day.inspected ? [{ label: "Inspections", note: "signed ones", icon: "shield", act: { open: "record" } }] : []),
    ...(screen.work_orders.length && !may(visit, "close-work-order") ? [{ label: "Work orders", note: `${screen.work_orders.length} open`, icon: "plug", act: { open: "work" } }] : []),
    ...sign("Clock is right", "confirm", { do: "confirm-clock" }, "gauge"),
    ...(!betweenRounds(screen) ? [] : screen.mode === "service" ? sign("End service", "table deals again", { do: "leave-service" }, "plug") : sign("Service", "table rests", { do: "enter-service" }, "plug")),
    ...(may(visit, "replace-reader") ? [{ label: "New reader", note: "two people", icon: "reader", act: { open: "letters", title: ["Another reader.", "Tap its serial number."], then: { sign: { do: "replace-reader" } }, field: "serial" } }] : []),
    ...(screen.signed_in === null ? [] : [{ label: "Sign out", note: `dealer ${screen.signed_in}`, icon: "person", act: { send: { do: "sign-out" } } }]),
    ...(screen.mode === "faulted" ? sign("Settled by hand", "an old round", { do: "settled-by-hand", reason: "settled from the record" }, "check") : []),
  ].slice(0, 12);
}

// The one thing that waits most, if it is this visitor's.
function waiting(screen, local) {
  const { visit } = local;
  if (screen.verifying && (may(visit, "floor approve") || may(visit, "reject"))) return amber("Jackpot", `seat ${screen.verifying.seat}: evidence`, { open: "jackpot" }, { icon: "gauge" });
  const approve = ["floor approve", "manager approve"].find((word) => may(visit, word) && offer(screen, word));
  if (approve) return amber("Approve", "this line: PIN", say(approve), { icon: "badge" });
  for (const [word, label] of [["reader-repaired", "Reader works"], ["shuffler-repaired", "Shuffler works"]]) {
    if (may(visit, word) && offer(screen, word)) return amber(label, "repaired: PIN", say(word), { icon: "check" });
  }
  const [order] = may(visit, "close-work-order") ? screen.work_orders : [];
  if (order) return amber(`Work order ${order.order}`, order.place, { open: "work" }, { icon: "plug" });
  const [worst] = worstFirst(screen).filter((alert) => alert.acknowledged_by === null);
  return worst ? amber("Worst alert", worst.source, { open: "alerts" }, { icon: "bell" }) : null;
}

export function view(screen, state, local) {
  const alerts = screen.alerts.filter((alert) => alert.acknowledged_by === null).length;
  const others = rare(screen, local);
  const tiles = state.more ? others : pages(screen, local);
  const wait = waiting(screen, local);
  return ofVisit(screen, local, "visit open", alerts ? `${plural(alerts, "alert")}, worst first.` : "Nothing waits.", {
    zone: { kind: "tiles", columns: 4, rows: 3, tiles },
    tools: [{ id: "cancel", icon: "table", label: "Look at table", act: { open: "table" }, span: 2 }],
    slots: [...(state.more || others.length ? [wide("A", state.more ? "Back" : "More", state.more ? "first side" : `${others.length} more`, { page: { more: !state.more } })] : []), ...(wait ? [wait] : [])],
  });
}

export const step = (screen, state, act) => ({ state: { ...state, ...act } });
