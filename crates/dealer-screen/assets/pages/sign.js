// A person's number and PIN for one action. The digits of the pad lie elsewhere each time; only positions are sent, and
// nothing of a PIN is kept. Two people sign one after the other: the table keeps the first signature, never this page.

import { amber, fill, key, well, wide } from "../core/keys.js";
import { roleName, rolesName, said } from "../core/signing.js";
import { tableInSmall } from "../core/strip.js";

const LEAST = 6;
const MOST = 12;
// Tiles for people beside the one for any other number.
const PEOPLE_MAX = 11;

// Other dealers beside the one for any number.
const RELIEF_MAX = 3;
const FLOOR_CALLED = "TC-045";

const VISITORS = ["floorperson", "manager", "technician", "auditor"];
const DEALERS = ["dealer", "floorperson", "manager"];

// `action`: what is signed. `prompt`: the order that it answers, where it answers one. `people`: whose PIN was right here
// last. `visit`: whoever is visiting signs with their own number. `then`: what opens when it is done.
export function open(screen, { action, prompt = null, note = null, people = [], visit = null, then = null }) {
  const roles = action.do === "visit" ? VISITORS : action.do === "sign-in" ? DEALERS : null;
  const earlier = signedBefore(screen, action, people);
  const own = visit && action.do !== "visit" && action.do !== "sign-in" && visit.person !== earlier?.person ? visit : null;
  // Dealers take over from dealers: they come first there, else whoever was here last.
  const first = (each) => (action.do === "sign-in" && each.role !== "dealer" ? 1 : 0);
  const known = people.filter((each) => !roles || roles.includes(each.role)).sort((one, other) => first(one) - first(other)).slice(0, PEOPLE_MAX).map((each) => ({ ...each, person: String(each.person) }));
  return { action, prompt, note, then, own: own && { person: String(own.person), role: own.role }, known, person: own ? String(own.person) : null, typing: known.length === 0 && !isRelief(screen, action), typed: "", pad: null, positions: "", first: earlier, recorded: earlier !== null, roles: earlier ? ["floorperson", "manager"] : null };
}

const isRelief = (screen, action) => action.do === "sign-in" && Boolean(screen?.signed_in);

// A jackpot's first approval stands in the record: the second person is another one.
function signedBefore(screen, action, people) {
  const person = action.words === "manager approve" ? screen?.verifying?.approved_by ?? null : null;
  return person === null ? null : { person, role: people.find((each) => each.person === person)?.role ?? "floorperson" };
}

const CANCEL = [{ id: "cancel", icon: "cross", label: "Cancel", act: { close: true }, span: 2 }];

export function view(screen, state, local) {
  const what = said(screen, state.action) ?? state.action.do;
  const lead = state.action.do === "visit" ? "Floor visit." : isRelief(screen, state.action) ? `Relief: ${screen.signed_in} leaves.` : `${state.first ? "Also to sign" : "To sign"}: ${what}.`;
  const strip = notes(screen, state, local);
  const at = { tone: "ink", situation: lead, paraphrase: null };
  if (state.person === null && state.first && !state.chosen) return missing(state, at, strip, what);
  // Relief is the one thing of the floor that takes no visit: the next dealer's own PIN is enough.
  const called = screen?.alerts.some((alert) => alert.source === FLOOR_CALLED && !alert.ended);
  const call = called ? well("C", 1, "Called", "floor comes") : key("C", "Call", "the floor", { send: { do: "call-floor" } }, { pageKey: true, id: "call" });
  const relief = state.action.do === "visit" && screen.signed_in !== null ? [wide("A", "Relief", "the next dealer", { sign: { do: "sign-in" } }, { pageKey: true }), call] : [];
  if (state.person === null && !state.typing && isRelief(screen, state.action)) return takesOver(screen, state, at, strip);
  if (state.person === null && !state.typing) return people(state, at, strip, relief);
  return state.person === null ? number(state, at, strip, relief) : pin(state, at, strip);
}

// What went wrong, or who is missing; else the table in small, as on every page of a visit.
function notes(screen, state, local) {
  if (state.first) return { tone: "act", cells: [{ text: "1 OF 2 SIGNED", strong: true }, { text: `${rolesName(state.roles ?? [])}, not ${state.first.person}` }], end: { text: state.recorded ? "in the record" : "kept 10 minutes" } };
  if (state.note) return { tone: "act", cells: [{ text: state.note, strong: true }], end: { text: "" } };
  return local?.visit && screen ? tableInSmall(screen, local) : undefined;
}

function missing(state, at, strip, what) {
  return {
    prompt: { ...at, situation: `${what.charAt(0).toUpperCase()}${what.slice(1)}.`, order: "Second person is missing." }, strip, tools: CANCEL,
    zone: { kind: "signatures", boxes: [
      { tone: "done", about: "✓ Person 1 signed", name: `${roleName(state.first.role)} ${state.first.person}`, lines: ["with PIN, at this screen", what] },
      { tone: "now", about: "▸ Person 2 signs here", name: rolesName(state.roles), lines: [`any number but ${state.first.person}`, state.note ?? ""] },
    ] },
    slots: fill([amber("PIN", "person 2 of 2", { page: { chosen: true } }, { icon: "badge", pageKey: true })]),
  };
}

const taken = (state) => state.known.filter((each) => each.person !== String(state.first?.person) && (!state.roles || state.roles.includes(each.role)));

function people(state, at, strip, relief) {
  const tiles = [...taken(state).map((each) => ({ icon: "person", label: each.person, note: roleName(each.role), act: { page: { person: each.person } } })),
    { icon: "badge", label: "Other", note: "number", act: { page: { typing: true } } }];
  const columns = tiles.length > 6 ? 4 : 3;
  return { prompt: { ...at, order: "Tap your number." }, strip, tools: CANCEL, zone: { kind: "tiles", columns, rows: columns === 4 ? 3 : 2, tiles }, slots: fill([...relief, well("D", 2, "Then your PIN")]) };
}

// Who takes over: dealers first, the one who was here last at the top; then their own PIN, then the burn card (7.B(4)).
function takesOver(screen, state, at, strip) {
  const others = taken(state).filter((each) => each.person !== String(screen.signed_in)).slice(0, RELIEF_MAX);
  const tiles = [...others.map((each, index) => ({ icon: index === 0 ? "swap" : "person", label: each.person, note: index === 0 ? `${roleName(each.role)} · was here last` : roleName(each.role), chosen: index === 0, act: { page: { person: each.person } } })),
    { icon: "tiles", label: "Other number", note: "number pad", act: { page: { typing: true } } }];
  const waived = screen.game === "blackjack" ? "7.B(4): floor may waive it" : "7.B(4)";
  return {
    prompt: { ...at, situation: "Relief.", order: `Who takes over from ${screen.signed_in}?` }, strip, tools: CANCEL,
    zone: { kind: "relief", leaves: { name: String(screen.signed_in), note: `round ${screen.round}` }, after: { name: "Burn one card", note: waived }, tiles },
    slots: fill([others[0] ? amber(`${others[0].person} is next`, "own PIN, then burn", { page: { person: others[0].person } }, { icon: "swap", pageKey: true }) : well("D", 2, "Then the PIN")]),
  };
}

function side(state) {
  if (state.own && !state.first) return [{ label: state.own.person, note: roleName(state.own.role), chosen: true, fixed: true, act: null }];
  const typed = state.person !== null && !state.known.some((each) => each.person === state.person) ? [{ person: state.person, role: "" }] : [];
  return [...[...typed, ...taken(state)].slice(0, 2).map((each) => ({ label: each.person, note: roleName(each.role), chosen: each.person === state.person, act: { page: { person: each.person } } })),
    { label: "Other", note: "number", chosen: state.person === null, act: { page: { typing: true } } }];
}

function number(state, at, strip, relief) {
  const keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"].map((digit) => ({ label: digit, act: { page: { digit } } }));
  const same = state.typed !== "" && state.typed === String(state.first?.person);
  return {
    prompt: { ...at, order: "Tap your number." }, strip, tools: CANCEL,
    zone: { kind: "pad", columns: 5, side: side(state), readout: { about: "Number", text: state.typed, right: same ? { text: "has signed already", tone: "stop" } : null }, keys },
    slots: fill([...relief.filter((each) => each.at < 3), key("C", "⌫", "last digit", { page: { back: true } }), state.typed && !same ? amber(state.typed, "then the PIN", { page: { person: state.typed } }, { pageKey: true }) : well("D", 2, "Number", "of the person")]),
  };
}

function pin(state, at, strip) {
  const digits = state.pad?.digits ?? [];
  const left = Math.max(0, LEAST - state.positions.length);
  return {
    prompt: { ...at, order: `${state.person}: enter your PIN.` }, strip, tools: CANCEL,
    zone: { kind: "pad", columns: 5, side: side(state), shuffled: true, readout: { about: "PIN", dots: { typed: state.positions.length, of: Math.max(LEAST, state.positions.length) }, right: { text: state.pad ? "digits are shuffled" : "" } },
      keys: digits.map((digit, position) => ({ label: String(digit), act: { page: { position } } })) },
    slots: fill([key("C", "⌫", "last digit", { page: { back: true } }),
      left === 0 ? amber("Sign", `number ${state.person}`, { page: { sign: true } }, { icon: "badge", pageKey: true }) : well("D", 2, "Sign", `${left} ${left === 1 ? "digit" : "digits"} missing`)]),
  };
}

// A pad is good for one PIN: `needPad` asks for one; `credentials` go with the action: this person's alone.
export function step(screen, state, act) {
  if (act.pad) return { state: { ...state, pad: act.pad, positions: "" } };
  if (act.chosen) return { state: { ...state, chosen: true, typing: taken(state).length === 0 } };
  if (act.typing) return { state: { ...state, person: null, typing: true, typed: "", positions: "", pad: null } };
  if (act.person !== undefined) return { state: { ...state, person: act.person, typed: "", positions: "", pad: null }, needPad: true };
  if (act.digit !== undefined) return { state: { ...state, typed: (state.typed + act.digit).slice(0, 9) } };
  if (act.position !== undefined) return { state: { ...state, positions: (state.positions + act.position).slice(0, MOST) } };
  if (act.back) return { state: state.person === null ? { ...state, typed: state.typed.slice(0, -1) } : { ...state, positions: state.positions.slice(0, -1) } };
  if (act.sign) return { state, credentials: { ...(state.own?.person === state.person ? {} : { person: state.person }), pin: state.positions, pad: state.pad.pad } };
  return { state };
}

// What came back. A second person who is missing signs next; a wrong PIN is typed again.
export function answered(state, { status, body }) {
  if (status === 200) return { close: true };
  const fresh = { pad: null, positions: "", typed: "" };
  const other = { ...state, ...fresh, person: null, chosen: false, typing: state.known.length === 0 };
  if (body.error === "needs-person" && body.second) {
    return { state: { ...other, first: body.signed ?? state.first, roles: body.roles ?? state.roles, note: body.signed ? null : body.reason, own: null } };
  }
  if (body.error === "needs-person") return { state: { ...other, own: null, note: body.reason } };
  if (body.error === "same-person") return { state: { ...other, chosen: true, note: body.reason } };
  if (["wrong-pin", "locked-out", "busy", "pad-void"].includes(body.error)) return { state: { ...state, ...fresh, note: body.reason }, needPad: true };
  return { close: true, refused: body };
}
