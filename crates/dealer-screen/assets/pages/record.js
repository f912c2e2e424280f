// Signed inspections: what was found, who signed, what was repeated; each prints on one sheet.

import { capital } from "../core/inspecting.js";
import { amber, key, well } from "../core/keys.js";
import { offer, say } from "../core/offers.js";
import { may } from "../core/signing.js";
import { dayName, floorPages, ofVisit, printTool } from "../core/visits.js";

const INSPECTIONS = "/api/v1/inspections";
export const wants = () => [INSPECTIONS];

export const open = () => ({ at: 0 });

const two = (number) => String(number).padStart(2, "0");
const minute = (at) => (at === null ? "–" : `${two(Math.floor(at / 60))}:${two(at % 60)}`);
const short = (day) => dayName(day).replace(/ \d+$/, "");
const MARKS = { passed: "✓", failed: "✕ failed", open: "not done" };
const TONES = { passed: "good", failed: "bad", open: "" };
// In one line of the panel; the sheet has all of it.
const LONGEST = 34;

export function view(screen, state, local) {
  const all = local.read[INSPECTIONS]?.inspections;
  const again = may(local.visit, "begin-inspection") && screen.mode !== "inspection" ? key("A", "Inspect", "again", { send: { do: "begin-inspection", full: false } }) : well("A");
  if (!all?.length) {
    return ofVisit(screen, local, "inspection", all ? "None is signed yet." : "One moment.", { zone: { kind: "sheet", panels: [{ text: [all ? "Whoever inspects signs at the end; then it stands here." : "Reading the record …"], rows: [] }] }, slots: [again] });
  }
  const at = Math.min(state.at, all.length - 1);
  const { record, sheet } = all[at];
  const pauses = record.pauses.map((pause) => `${minute(pause.from)}–${minute(pause.to)}`).join(", ");
  const signed = [["Person", String(record.by)], ["With PIN", minute(record.signed)], ["Began", minute(record.began)], ...(pauses ? [["Paused", pauses.length > 20 ? `${record.pauses.length} times` : pauses]] : []), ...(record.repeated ? [["Repeated", String(record.repeated)]] : []), ...record.work_orders.map((order) => ["Work order", String(order)])];
  const [older, newer] = [all[at + 1]?.record, all[at - 1]?.record];
  const opens = at === 0 && record.passed && may(local.visit, "open") && offer(screen, "open");
  return ofVisit(screen, local, short(record.day), record.passed ? "Passed." : "Failed. The table stays shut.", {
    zone: { kind: "record", steps: record.steps.map((step, index) => ({ label: `${index + 1} ${capital(step.name)}`, note: step.note.length > LONGEST ? "" : step.note, mark: MARKS[step.result], tone: TONES[step.result] })), signed, number: record.sequence,
      due: record.passed ? { title: "Next due", text: dayName(record.day + 1), tone: "ok" } : { title: "Then", text: "Technician, all steps", tone: "stop" } },
    tools: [floorPages, printTool], sheet,
    slots: [again, older ? key("B", `◂ ${short(older.day).slice(0, 3)}`, short(older.day).slice(4), { page: { at: at + 1 } }, { pageKey: true }) : well("B"), newer ? key("C", `${short(newer.day).slice(0, 3)} ▸`, short(newer.day).slice(4), { page: { at: at - 1 } }, { pageKey: true }) : well("C"),
      opens ? amber("Open table", "then chips, cards", say("open"), { icon: "door" }) : well("D", 2)],
  });
}

export const step = (screen, state, act) => ({ state: { ...state, ...act } });
