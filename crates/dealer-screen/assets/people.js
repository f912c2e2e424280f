// A person's number and PIN for one action. The PIN is typed on a pad whose digits lie elsewhere each time; only the
// positions are sent, and nothing of it is kept.

import { button, el } from "./dom.js";
import { fetchPad } from "./send.js";

const overlay = () => document.getElementById("pinpad");

export function close() {
  overlay().hidden = true;
  overlay().replaceChildren();
}

let leave = null;

// Closes the pad as if it had been cancelled.
export const callOff = () => leave?.();

export const isOpen = () => !overlay().hidden;

// Resolves to {person, pin, pad}, or null when it is called off.
export function ask(what, note) {
  return new Promise((resolve) => {
    const end = (value) => {
      if (leave !== calledOff) return;
      leave = null;
      close();
      resolve(value);
    };
    const calledOff = () => end(null);
    leave = calledOff;
    askNumber(what, note, (person) => askPin(what, person, end, () => leave === calledOff), calledOff);
  });
}

function frame(heading, note, shown, pad, enter, leave, ready) {
  overlay().hidden = false;
  overlay().replaceChildren(
    el("header", {}, el("h2", {}, heading), button("Cancel", leave, { class: "quiet" })),
    el("div", { class: "entry" }, pad,
      el("div", { class: "beside" }, el("p", {}, note), el("output", {}, shown),
        button("Enter", enter, { class: "act", disabled: !ready, id: "pin-enter" }))));
}

function askNumber(what, note, done, leave) {
  let typed = "";
  const push = (key) => {
    if (key === "⌫") typed = typed.slice(0, -1);
    else if (typed.length < 9) typed += key;
    redraw();
  };
  const redraw = () => frame(what, note ?? "Your number", typed || "number",
    el("div", { class: "pad" }, ...["1", "2", "3", "4", "5", "6", "7", "8", "9", "", "0", "⌫"].map((key) =>
      key === "" ? el("span") : button(key, () => push(key)))),
    () => typed && done(typed), leave, typed !== "");
  redraw();
}

async function askPin(what, person, end, isAsked) {
  let dealt;
  try {
    dealt = await fetchPad();
    if (!isAsked()) return;
  } catch {
    if (!isAsked()) return;
    frame(what, "The table gives no PIN pad now. Try again.", "", el("span"), () => {}, () => end(null), false);
    return;
  }
  let positions = "";
  const push = (position) => {
    if (positions.length < 12) positions += position;
    redraw();
  };
  const redraw = () => frame(what, `Number ${person}: PIN`, "●".repeat(positions.length) || "PIN",
    el("div", { class: "pad shuffled" },
      ...dealt.digits.slice(0, 9).map((digit, position) => button(String(digit), () => push(String(position)))),
      el("span"), button(String(dealt.digits[9]), () => push("9")),
      button("⌫", () => { positions = positions.slice(0, -1); redraw(); })),
    () => positions.length >= 6 && end({ person, pin: positions, pad: dealt.pad }), () => end(null), positions.length >= 6);
  redraw();
}
