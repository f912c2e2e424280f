// A number pad: counts and places, or an amount of money with its cents implied.

import { amber, fill, key, well, wide } from "../core/keys.js";
import { money, scriptAmount } from "../core/money.js";
import { say } from "../core/offers.js";

const TITLES = {
  place: ["Cover card.", "How many from the bottom?"], "inspect tens": ["Every ten is out.", "How many tens were there?"], double: ["Double for less.", "How much more?"],
};

// `what`: the words that the number completes. `cents`: an amount. `then`: what is done with the number instead.
export const open = (screen, args) => ({ typed: null, ...args });

const value = (state) => (state.typed === null ? state.start ?? null : state.typed === "" ? null : Number(state.typed));
const written = (state, number) => (state.cents ? money(number) : String(number));
const fits = (state, number) => number !== null && number >= (state.least ?? 0) && number <= (state.most ?? 99_999_999_999) && (!state.step || number % state.step === 0);

export function result(state) {
  const number = value(state);
  if (!fits(state, number)) return null;
  if (state.then) return { ...state.then, value: number };
  return say(`${state.what} ${state.cents ? scriptAmount(number) : number}`);
}

export function view(screen, state) {
  const [situation, order] = state.title ?? TITLES[state.what] ?? ["A number.", "How many?"];
  const number = value(state);
  const range = `${written(state, state.least ?? 0)} to ${written(state, state.most ?? 0)}`;
  const differs = state.start !== undefined && state.start !== null && number !== null && number !== state.start ? number - state.start : 0;
  const difference = differs ? { text: `${differs > 0 ? "+" : "–"} ${written(state, Math.abs(differs))}`, tone: "stop" } : null;
  const act = result(state);
  const keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"].map((digit) => ({ label: digit, act: { page: { digit } } }));
  const as = state.start === undefined || state.start === null ? null : wide("A", state.startLabel ?? "As before", written(state, state.start), { page: { reset: true } });
  return {
    prompt: { situation, order },
    zone: { kind: "pad", columns: 5, readout: { text: number === null ? "" : written(state, number), right: difference ?? (state.most ? { text: range } : null) }, keys },
    tools: [{ id: "cancel", icon: "cross", label: "Cancel", act: { close: true }, span: 2 }],
    slots: fill([...(as ? [as] : []), key("C", "⌫", "last digit", { page: { back: true } }),
      act ? amber("Enter", state.note ?? written(state, number), act, { icon: "check", pageKey: true }) : well("D", 2, "Enter", state.most ? range : "")]),
  };
}

export function step(screen, state, act) {
  const typed = state.typed ?? "";
  if (act.reset) return { state: { ...state, typed: null } };
  if (act.back) return { state: { ...state, typed: state.typed === null ? String(state.start ?? "").slice(0, -1) : typed.slice(0, -1) } };
  if (typed.length >= 11) return { state };
  return { state: { ...state, typed: `${typed}${act.digit}`.replace(/^0+(?=\d)/, "") } };
}
