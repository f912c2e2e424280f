// Fingers, keys and pedal: what was pressed, how long, and for which prompt.

import { HOLD_MS, PEDAL_FLOOR_MS } from "./core/gate.js";
import { actOf } from "./draw/dom.js";

// `shown()`: the number of the prompt on the page. `perform(target, number, by)` does it; `drop(why)` says that it was not
// taken. `quiet()`: no keys now.
export function watch({ shown, perform, drop, quiet }) {
  let pressed = null;

  const targetOf = (node) => {
    for (let each = node; each && each !== document.body; each = each.parentElement) {
      const target = actOf(each);
      if (target) return { node: each, target };
    }
    return null;
  };

  const release = () => {
    if (!pressed) return;
    clearInterval(pressed.timer);
    pressed.node.classList.remove("pressed");
    for (const tick of pressed.node.querySelectorAll(".ticks i.lit")) tick.classList.remove("lit");
  };

  // The four ticks light one after the other; let go early and nothing happens.
  const hold = (press) => {
    const ticks = [...press.node.querySelectorAll(".ticks i")];
    let lit = 0;
    press.timer = setInterval(() => {
      ticks[lit]?.classList.add("lit");
      lit += 1;
      if (lit * 250 < HOLD_MS) return;
      release();
      press.held = true;
      if (press.node.isConnected) perform({ ...press.target, act: press.target.hold }, press.number, "finger");
    }, 250);
  };

  document.addEventListener("pointerdown", (event) => {
    const found = targetOf(event.target);
    if (!found) return;
    pressed = { ...found, number: shown() };
    found.node.classList.add("pressed");
    if (found.target.hold) hold(pressed);
  });
  document.addEventListener("pointerup", (event) => {
    const press = pressed;
    release();
    pressed = null;
    if (!press || press.held) return;
    const found = targetOf(event.target);
    const same = found && (found.node === press.node || (found.node.dataset.seat && found.node.dataset.seat === press.node.dataset.seat));
    // A key that was drawn anew under the finger is another key.
    if (!same && press.target.kind === "slot" && !press.node.isConnected) drop("the order changed under the finger");
    else if (same && found.target.act) perform(found.target, press.number, "finger");
  });
  document.addEventListener("pointercancel", () => {
    release();
    pressed = null;
  });
  document.addEventListener("contextmenu", (event) => event.preventDefault());

  const one = (selector) => document.querySelector(selector);
  const byKey = (key) => {
    const slot = { 1: 5, 2: 4, 3: 3, 4: 2, 5: 1 }[key];
    if (slot) return one(`#actions .slot.at-${slot}`);
    return { 0: one(".why-key"), 7: one("#zone .tile:nth-child(1)"), 8: one("#zone .tile:nth-child(2)"), 9: one("#zone .tile:nth-child(3)"),
      "/": one('[data-tool="floor"]'), "*": one('[data-tool="problem"]'), "-": one('[data-tool="undo"]') }[key] ?? null;
  };

  // Enter and the pedal act when they are let go: held long enough they mean Floor.
  let pedal = null;
  const press = (selected, number, by) => {
    const target = selected && actOf(selected);
    if (target?.act) perform(target, number, by);
  };
  document.addEventListener("keydown", (event) => {
    if (quiet()) return;
    if (event.key === "Enter") {
      event.preventDefault();
      if (event.repeat || pedal) return;
      pedal = { number: shown(), held: false };
      pedal.timer = setTimeout(() => {
        pedal.held = true;
        press(one('[data-tool="floor"]'), shown(), "pedal");
      }, PEDAL_FLOOR_MS);
      return;
    }
    const node = event.repeat ? null : byKey(event.key);
    if (!node || !actOf(node)) return;
    event.preventDefault();
    press(node, shown(), "key");
  });
  document.addEventListener("keyup", (event) => {
    if (event.key !== "Enter" || !pedal) return;
    clearTimeout(pedal.timer);
    const { number, held } = pedal;
    pedal = null;
    if (!held && !quiet()) press(one('[data-id="amber"]'), number, "pedal");
  });
}
