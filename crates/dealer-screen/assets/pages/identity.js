// What runs here, in the words of `holecard ver`: the hashes that an approval names, as they were loaded.

import { amber } from "../core/keys.js";
import { floorPages, ofVisit, printTool } from "../core/visits.js";
import { gameName, plural, title } from "../core/text.js";
import { LINE, deviceName } from "./devices.js";

export const open = () => ({ tab: "software", asked: 0 });

export const wants = () => ["/api/v1/identity", "/api/v1/head"];

const groups = (hash) => hash?.match(/.{1,8}/g) ?? [];

const OF = { software: "SHA-256 of the program", rules: "SHA-256 of the rules and options", configuration: "SHA-256 of the table's file", journal: "Last record's hash" };

export function view(screen, state, local) {
  const told = local.read["/api/v1/identity"];
  const head = local.read["/api/v1/head"];
  if (!told) return ofVisit(screen, local, "identity", "The table is asked.", { zone: { kind: "sheet", panels: [{ title: "…", rows: [] }] }, tools: [floorPages] });
  const here = screen.devices.filter((device) => device.present);
  const tabs = [["software", "Software", told.version], ["rules", "Rules", gameName(screen.game)], ["configuration", "Table", screen.table], ["devices", "Devices", plural(here.length, "device")], ["journal", "Journal", head ? `record ${head.sequence}` : "…"]]
    .map(([tab, label, note]) => ({ label, note, noteNarrow: note.length > 12, chosen: tab === state.tab, act: { page: { tab } } }));
  const hash = state.tab === "journal" ? head?.hash : told[state.tab];
  const facts = [["Version", told.version], ["Game", gameName(screen.game)], ["Table", screen.table], ["Epoch", String(told.epoch)], ["Tracking", title(screen.tracking)], ["Round", String(screen.round)]];
  const panels = state.tab === "devices"
    ? [{ title: "Devices at this table", rows: here.slice(0, 6).map((device) => [deviceName(device.part), [device.model, device.serial, LINE[device.protection]].filter(Boolean).join(" · ") || "no name told"]) }]
    : [{ title: OF[state.tab], mono: groups(hash), rows: [] }, { columns: 2, rows: facts }];
  return ofVisit(screen, local, "identity", state.asked ? "Asked again just now." : "Compare with the approval.", {
    zone: { kind: "sheet", top: tabs, stacked: true, panels }, tools: [floorPages, printTool],
    slots: [amber("Ask again", "as it is loaded", { page: { asked: state.asked + 1 } }, { icon: "hash", pageKey: true })],
  });
}

export const step = (screen, state, act) => ({ state: { ...state, ...act }, anew: act.asked !== undefined });
