// The table is stopped: what happens with cards and chips, which device, and who comes. It goes on by itself when the
// cause is gone.

import { amber, fill } from "../core/keys.js";
import { offers } from "../core/offers.js";
import { title } from "../core/text.js";

const inRound = (screen) => !["closed", "preparing", "wagering"].includes(screen.stage);

// A line that is due is settled all the same: a reader that was wrong stops the table, and the round is paid (S12).
const settles = (screen) => screen.lines.some((line) => !line.confirmed) && (offers(screen, "paid") || offers(screen, "collected"));

export const isDue = (screen) => screen.stage === "reader-stopped" || (screen.mode === "faulted" && inRound(screen) && !settles(screen));

export const open = () => ({});

export function view(screen) {
  const cause = screen.alerts.find((alert) => alert.severity === "stop") ?? screen.alerts[0];
  const sealed = screen.dealer.hole === "sealed";
  const steps = [
    { text: "Hands off: cards and chips stay where they lie.", state: "now" },
    ...(sealed ? [{ text: "Leave the hole card face down. In the slot? Leave it there.", state: "open" }] : []),
    { text: "Wait for the floorperson: repair, or replace with two people.", state: "open" },
    ...(sealed ? [{ text: "Nobody looks at the hole card.", state: "never" }] : []),
  ];
  const devices = screen.devices.filter((device) => device.present).map((device) => ({
    label: title(device.part), value: device.faults[0] ?? device.state, tone: device.up && device.faults.length === 0 ? "ok" : "stop",
  }));
  return {
    prompt: { tone: "stop", situation: "STOP. No more cards.", order: screen.stage === "reader-stopped" ? "The reader is out of service." : "The table is stopped." },
    strip: { tone: "stop", cells: [{ text: "✕ STOPPED", strong: true }, { text: cause ? cause.text : screen.prompt.text }, { text: `Round ${screen.round} held` }], end: { text: "Floor called" } },
    zone: { kind: "steps", tone: "stop", steps, side: { title: "Devices", rows: devices.slice(0, 6), text: "When it is back and checked, play goes on at this exact step." } },
    slots: fill([amber("Floor is here", "number and PIN", { open: "floor" }, { icon: "badge" })]),
  };
}

export const step = (screen, state) => ({ state });
