// Keys, wells and waits: what can stand in the slots A to E.

const SLOT = { A: 1, B: 2, C: 3, D: 4, E: 5 };

// A key, a well with a ghost label, or the form that says that a device is next.
export const key = (at, label, note, act, more = {}) => ({ kind: "key", at: SLOT[at], span: 1, label, note, act, ...more });
export const wide = (at, label, note, act, more = {}) => key(at, label, note, act, { span: 2, ...more });
export const amber = (label, note, act, more = {}) => wide("D", label, note, act, { tone: "act", id: "amber", ...more });
export const well = (at, span = 1, label = "", note = "") => ({ kind: "well", at: SLOT[at], span, label, note });
export const wait = (label, note, icon, at = "C") => ({ kind: "wait", at: SLOT[at], span: 6 - SLOT[at], label, note, icon });

// Whatever a slot does not use is an empty well.
export function fill(slots) {
  const taken = new Set(slots.flatMap((slot) => Array.from({ length: slot.span }, (_, next) => slot.at + next)));
  const wells = [1, 2, 3, 4, 5].filter((at) => !taken.has(at)).map((at) => ({ kind: "well", at, span: 1, label: "", note: "" }));
  return [...slots, ...wells].sort((one, other) => one.at - other.at);
}
