// A text pad: A to Z, 0 to 9 and a dash. Nobody types at a table; seals and serial numbers are tapped.

import { amber, fill, key, well } from "../core/keys.js";

const SIGNS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];
const LONGEST = 20;

// `then`: an act; what was typed is put into its `field`. `last`: what was entered last time.
export const open = (screen, args) => ({ typed: "", ...args });

const done = (state) => (state.typed === "" ? null : fillIn(state.then, state.field, `${state.prefix ?? ""}${state.typed}`));
const fillIn = (act, field, text) => {
  const [kind, action] = Object.entries(act)[0];
  return { [kind]: { ...action, [field]: text } };
};

export function view(screen, state) {
  const act = done(state);
  return {
    prompt: { situation: state.title?.[0] ?? "", order: state.title?.[1] ?? "Tap what it says." },
    zone: {
      kind: "pad", columns: 12, readout: { text: state.typed, caret: true },
      beside: state.last ? { label: state.last, note: "same as last time", act: { page: { typed: state.last } } } : null,
      keys: SIGNS.map((sign) => ({ label: sign, act: { page: { sign } }, quiet: /\d/.test(sign) })),
    },
    tools: [{ id: "cancel", icon: "cross", label: "Cancel", act: { close: true }, span: 2 }],
    slots: fill([key("A", "–", "dash", { page: { sign: "-" } }), key("B", "Clear", "", { page: { typed: "" } }), key("C", "⌫", "last one", { page: { back: true } }),
      act ? amber(`Enter ${state.typed}`, "", act, { icon: "check", pageKey: true }) : well("D", 2, "Enter")]),
  };
}

export function step(screen, state, act) {
  if (act.typed !== undefined) return { state: { ...state, typed: act.typed } };
  if (act.back) return { state: { ...state, typed: state.typed.slice(0, -1) } };
  return { state: { ...state, typed: (state.typed + act.sign).slice(0, state.longest ?? LONGEST) } };
}
