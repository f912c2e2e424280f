// The devices: what each is, how it is, and what has to be done about it.

import { amber, key, well } from "../core/keys.js";
import { offer, say } from "../core/offers.js";
import { may } from "../core/signing.js";
import { ofVisit } from "../core/visits.js";
import { plural, title } from "../core/text.js";

const ICONS = { reader: "reader", shoe: "shoe", shuffler: "shuffle", "lock-out": "lock", sensors: "chip", lamps: "bell" };
const NAMES = { "lock-out": "Lock-out" };
// How a device's line is protected, as the configuration says.
export const LINE = { paired: "paired", none: "line in the clear" };
export const deviceName = (part) => NAMES[part] ?? title(part);
const AT_ONCE = 6;

export const open = () => ({ from: 0 });

const well_ = (device) => device.up && device.faults.length === 0;
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export function view(screen, state, local) {
  const all = [...screen.devices].sort((one, other) => Number(!other.present || well_(other)) * -1 + Number(!one.present || well_(one)));
  const ill = all.filter((device) => device.present && !well_(device));
  const tiles = all.slice(state.from, state.from + AT_ONCE).map((device) => ({
    icon: ICONS[device.part] ?? ICONS[device.part.replace(/-(left|right)$/, "")] ?? "plug", label: deviceName(device.part), note: device.present ? [device.model, device.serial, LINE[device.protection]].filter(Boolean).join(" · ") || "no name told" : "not at this table",
    more: device.present ? (well_(device) ? `✓ ${device.state}` : `✕ ${sentence(device.faults[0] ?? device.state)}`) : "", moreTone: well_(device) ? "ok" : "stop", tone: device.present && !well_(device) ? "stop" : null, ghost: !device.present, act: null, fixed: true,
  }));
  const repaired = [["reader-repaired", "Reader works"], ["shuffler-repaired", "Shuffler works"]].find(([word]) => may(local.visit, word) && offer(screen, word));
  return ofVisit(screen, local, "devices", ill.length ? `${plural(ill.length, "device")} to look at.` : "All devices are well.", {
    zone: { kind: "tiles", columns: 2, rows: 3, tiles },
    slots: [all.length > AT_ONCE ? key("A", "More", "devices", { page: { from: state.from ? 0 : AT_ONCE } }, { pageKey: true }) : well("A"),
      may(local.visit, "replace-reader") ? { ...key("B", "New reader", "two people", { open: "letters", title: ["Another reader.", "Tap its serial number."], then: { sign: { do: "replace-reader" } }, field: "serial" }, { pageKey: true }), span: 2 } : well("B", 2),
      repaired ? amber(repaired[1], "repaired: PIN", say(repaired[0]), { icon: "check" }) : ill.length ? amber("Alerts", "what to do", { open: "alerts" }, { icon: "bell" }) : well("D", 2)],
  });
}

export const step = (screen, state, act) => ({ state: { ...state, ...act } });
