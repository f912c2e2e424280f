// The daily inspection, step by step. It is a visitor's: whoever begins it fills in the steps, and signs at the end.

import { asked, capital, grid, track } from "../core/inspecting.js";
import { amber, fill, key, well } from "../core/keys.js";
import { dayName, leaveKey, who } from "../core/visits.js";

export const isDue = (screen) => screen.mode === "inspection" && Boolean(screen.inspection);

export const open = () => ({ failing: false, reason: null, typed: "" });

const SIGNS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];
const LAST = 2;
// Of what was found before: what fits beside its step. The record has all of it.
const LONGEST = 40;

const answer = (said) => ({ send: { do: "inspection-answer", answer: said } });
const offers = ({ answers }, said) => answers.some((each) => each === said || each.startsWith(`${said} `));

const strip = (screen, local) => ({ tone: null, cells: [{ text: `Inspection · ${screen.table}`, strong: true }, { text: dayName(screen.inspection.day) }, { text: who(local) }, { text: screen.inspection.paused_before.length ? "was paused" : `step ${screen.inspection.step} of ${screen.inspection.steps.length}` }],
  end: local.saving ? { text: "saving …", tone: "bad" } : { text: "✓ saved", tone: "ok" } });

export function view(screen, state, local) {
  const { inspection } = screen;
  const { situation, order } = inspection;
  const failed = inspection.steps.some((each) => each.state === "failed");
  const reasons = Boolean(local.visit) && !failed && (state.failing || inspection.wrong !== null);
  const common = {
    prompt: { tone: failed || inspection.wrong !== null ? "stop" : deviceNext(inspection) ? "info" : "ink", situation, order: reasons ? "What is the reason?" : order, clause: inspection.source, paraphrase: null },
    strip: local.refused || local.dropped ? null : strip(screen, local),
    zone: { ...(reasons ? whyFailed(inspection, state) : zoneOf(inspection, state, local)), track: track(inspection) },
  };
  if (!local.visit) return { ...common, slots: fill([amber("Floor is here", "number and PIN", { open: "floor" }, { icon: "badge" })]) };
  return { ...common, key: leaveKey, tools: [{ id: "pause", icon: "pause", label: "Pause", act: { send: { do: "pause-inspection" } } }, { id: "cancel", icon: "tiles", label: "Floor pages", act: { open: "floor" }, span: 2 }], slots: fill(reasons ? reasonKeys(inspection, state) : keys(inspection, state)) };
}

const stepName = ({ steps, step }) => steps[step - 1].name;
const isAsked = (inspection) => inspection.seals.some((seal) => seal.asked);
const deviceNext = (inspection) => inspection.wrong === null && ["test cards", "lock-out", "positions"].includes(stepName(inspection));

// ---- what the step is about

function zoneOf(inspection, state, local) {
  if (isAsked(inspection)) return { kind: "pad", columns: 12, readout: { about: inspection.seals.find((seal) => seal.asked).name, text: state.typed, caret: true }, keys: local.visit ? SIGNS.map((sign) => ({ label: sign, act: { page: { sign } }, quiet: /\d/.test(sign) })) : [] };
  if (stepName(inspection) === "seals") return { kind: "seals", seals: inspection.seals.map((seal, at) => sealOf(seal, at, local)) };
  if (stepName(inspection) === "test cards" && inspection.cards.length) return cardGrid(inspection);
  const done = inspection.steps.filter((each) => each.state !== "open");
  return { kind: "inspection", text: inspection.text, bars: inspection.counters.length ? trend(inspection.counters) : null,
    notes: done.slice(-5).map((each) => ({ label: capital(each.name), value: each.note && each.note.length <= LONGEST ? each.note : each.state, tone: each.state === "passed" ? "ok" : "stop" })) };
}

function sealOf(seal, at, local) {
  const pad = { open: "letters", title: [`Seal: ${seal.name}.`, "Tap what it says."], then: answer(""), field: "answer", prefix: `seal ${at + 1} `, last: seal.last, longest: 12 };
  const same = seal.read !== null && seal.read === seal.last;
  return {
    name: capital(seal.name), number: seal.read ?? seal.last ?? "no number yet", tone: seal.read === null ? null : seal.last === null || same ? "ok" : "stop",
    note: seal.read === null ? (seal.last_day === null ? "first time" : dayName(seal.last_day).replace(/ \d+$/, "")) : seal.last === null ? "✓ first on record" : same ? "✓ same today" : `✕ was ${seal.last}`,
    keys: !local.visit ? [] : seal.read !== null ? [{ label: "Change", act: pad }] : seal.last === null ? [{ label: "Tap it in", act: pad, strong: true }] : [{ label: "Same", act: answer(`seal ${at + 1} same`), strong: true }, { label: "Other", act: pad }],
  };
}

function cardGrid(inspection) {
  const { cards, text, wrong, repeated } = inspection;
  const read = cards.filter((card) => card.read !== null).length;
  const bad = cards.filter((card) => card.read !== null && card.read !== card.expected).length;
  return { kind: "card-grid", ...grid(cards, asked(cards, text), wrong !== null), foot: [[`${read} of ${cards.length}`, "read"], [String(bad), "wrong"], [String(repeated), "repeated"], ["✓", "read as expected"]] };
}

// Unread cards of each day, newest at the right.
function trend(counters) {
  const most = Math.max(1, ...counters.map((day) => day.unread));
  return counters.slice(0, 7).reverse().map((day, at) => ({ height: Math.round((day.unread / most) * 8), now: at === Math.min(counters.length, 7) - 1, text: String(day.unread), day: dayName(day.day).slice(0, 3) }));
}

// ---- why it fails

const THEN = ["Table stays shut.", "Work order for the technician.", "All steps again when it is done."];

function whyFailed(inspection, state) {
  const tiles = inspection.reasons.map(({ word, label, note, source }) => ({ label, note: state.reason === word ? source : note, chosen: state.reason === word, act: { page: { reason: word } } }));
  return { kind: "why-failed", tiles, then: THEN, found: inspection.wrong ? capital(inspection.wrong) : null };
}

function reasonKeys(inspection, state) {
  const chosen = inspection.reasons.find((each) => each.word === state.reason);
  const back = inspection.wrong === null ? key("A", "Back", "to the step", { page: { failing: false, reason: null } }, { pageKey: true }) : well("A");
  const repeat = inspection.wrong !== null && offers(inspection, "repeat") ? key("B", "Repeat", "once more", answer("repeat")) : well("B");
  return [back, repeat, chosen ? amber("Step failed", "then sign", answer(`fail ${chosen.word}`), { icon: "cross" }) : well("D", 2, "Choose a reason")];
}

// ---- keys

const REPEATS = { lamps: "the lamps", seals: "all seals" };

function keys(inspection, state) {
  const fail = offers(inspection, "fail") ? key("A", "Fail", "hold 1 s", null, { hold: { page: { failing: true } }, ticks: true, tone: "stop" }) : well("A");
  const failed = inspection.steps.some((each) => each.state === "failed");
  if (offers(inspection, "sign")) return [offers(inspection, "repeat") ? key("B", "Repeat", "the step", answer("repeat")) : well("B"), amber(failed ? "Sign: failed" : "Sign", "your PIN", { sign: { do: "inspection-answer", answer: "sign" } }, { icon: "badge" })];
  if (isAsked(inspection)) return [fail, key("B", "–", "dash", { page: { sign: "-" } }, { pageKey: true }), key("C", "⌫", "last one", { page: { back: true } }, { pageKey: true }), state.typed ? amber(`Enter ${state.typed}`, "last two signs", answer(state.typed), { icon: "check" }) : well("D", 2, "Last two signs")];
  const repeat = offers(inspection, "repeat") ? key("B", "Repeat", REPEATS[stepName(inspection)] ?? "the last", answer("repeat")) : well("B");
  if (stepName(inspection) === "seals") return [fail, repeat, inspection.answers.includes("all same") ? amber("All the same", "two signs of one", answer("all same"), { icon: "check" }) : well("D", 2, "One by one")];
  if (offers(inspection, "pass")) return [fail, repeat, amber("Pass", "this step", answer("pass"), { icon: "check" })];
  return [fail, repeat, { kind: "wait", at: 4, span: 2, icon: stepName(inspection) === "test cards" ? "reader" : stepName(inspection) === "positions" ? "chip" : "lock", label: stepName(inspection) === "test cards" ? "Reader next" : "Device next", note: "no tap needed" }];
}

export function step(screen, state, act) {
  if (act.sign) return { state: { ...state, typed: (state.typed + act.sign).slice(-LAST) } };
  if (act.back) return { state: { ...state, typed: state.typed.slice(0, -1) } };
  return { state: { ...state, ...act } };
}
