// The meters: what each holds and has paid, and the last jackpots.

import { key, well } from "../core/keys.js";
import { money } from "../core/money.js";
import { floorPages, ofVisit, printTool, whenOf } from "../core/visits.js";
import { title, wagerName } from "../core/text.js";

export const open = () => ({ at: 0, from: 0, list: 0 });

export const wants = () => ["/api/v1/players"];

export const meterName = (meter) => (meter.meter === "main" ? wagerName(meter.wager) : `${wagerName(meter.wager)} ${title(meter.meter)}`);

const METERS = 3;
const HITS = 5;

export function view(screen, state, local) {
  const { meters } = screen;
  const told = local.read["/api/v1/players"];
  const at = Math.min(state.at, meters.length - 1);
  const meter = meters[at];
  if (!meter) return ofVisit(screen, local, "meters", "This table has no meter.", { zone: { kind: "sheet", panels: [{ title: "No meter", rows: [] }] } });
  const shown = told?.meters.find((each) => each.wager === meter.wager && each.meter === meter.meter);
  const last = (told?.last ?? []).filter((hit) => hit.wager === meter.wager);
  const from = state.from < last.length ? state.from : 0;
  const tiles = meters.slice(state.list, state.list + METERS).map((each, index) => ({ label: money(each.amount_cents), note: `${each.balanced ? "✓" : "✕"} ${meterName(each)}`, chosen: state.list + index === at, act: { page: { at: state.list + index, from: 0 } }, noteNarrow: meterName(each).length > 14 }));
  const pays = shown ? [["After a hit", money(shown.restart_cents)], ["Must hit by", shown.must_hit_cents === null ? "no limit" : money(shown.must_hit_cents)]] : [];
  return ofVisit(screen, local, meterName(meter), money(meter.amount_cents), {
    zone: { kind: "sheet", side: tiles, stacked: true, panels: [
      { columns: 2, tone: meter.balanced ? null : "stop", title: meter.balanced ? "✓ In balance" : "✕ Does not balance (X4)", rows: [["Reserve", money(meter.reserve_cents)], ["Overflow", money(meter.overflow_cents)], ...pays, ["Hits", String(meter.hits)], ["Paid", money(meter.wins_cents)]] },
      { title: "Last jackpots", right: last.length > HITS ? `${from + 1} to ${Math.min(from + HITS, last.length)} of ${last.length}` : null, rows: last.length ? last.slice(from, from + HITS).map((hit) => [whenOf(hit.at_ms), money(hit.amount_cents)]) : [["None on record here", ""]] },
    ] },
    tools: [floorPages, printTool],
    slots: [meters.length > METERS ? key("B", "More", "meters", { page: { list: state.list + METERS < meters.length ? state.list + METERS : 0 } }, { pageKey: true }) : well("B"),
      last.length > HITS ? { ...key("D", "Older", "jackpots", { page: { from: from + HITS < last.length ? from + HITS : 0 } }, { pageKey: true }), span: 2 } : well("D", 2)],
  });
}

export const step = (screen, state, act) => ({ state: { ...state, ...act } });
