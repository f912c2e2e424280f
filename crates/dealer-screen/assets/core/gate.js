// Which taps count. A tap is for what was on the page when the finger went down: after every change of the prompt number
// slots and lines take none for a while, whatever their labels say, and a tap that carries an older number is dropped.

export const DEAD_MS = 300;
// After Same boxes a pedal or Enter cannot lock the table for this long.
export const AFTER_SAME_BOXES_MS = 1000;
export const HOLD_MS = 1000;
// A pedal that is held this long calls for Floor instead of the amber button.
export const PEDAL_FLOOR_MS = 1500;

export const newGate = () => ({ number: null, changed: -Infinity, sameBoxes: -Infinity });

// A screen has come.
export const shown = (gate, number, now) => (gate.number === number ? gate : { ...gate, number, changed: now });

export const boxesRepeated = (gate, now) => ({ ...gate, sameBoxes: now });

// `kind`: "slot" for slots and lines, "free" for seats while bets are open, tools and pages. `number`: the prompt that
// the key was drawn for. `by`: "finger", "key" or "pedal".
export function takes(gate, { kind, number = null, by = "finger", locks = false }, now) {
  if (kind === "free") return true;
  if (number !== null && number !== gate.number) return false;
  if (locks && by !== "finger" && now - gate.sameBoxes < AFTER_SAME_BOXES_MS) return false;
  return now - gate.changed >= DEAD_MS;
}
