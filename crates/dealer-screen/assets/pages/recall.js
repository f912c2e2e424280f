// A round that is settled, as a film: what happened, when, and who said it. Of the round that is played nothing is shown
// here that the table does not show.

import { face } from "../core/cards.js";
import { film, lastSettled } from "../core/film.js";
import { amber, key, well } from "../core/keys.js";
import { floorPages, ofVisit, printTool, timeOf } from "../core/visits.js";

export const open = (screen) => ({ round: lastSettled(screen), at: 0 });

const address = (round) => `/api/v1/recall/${round}`;
export const wants = (screen, state) => [address(state.round)];

const FRAMES = { compact: 6, roomy: 7 };

export function view(screen, state, local) {
  const told = local.read[address(state.round)];
  const rounds = [state.round > 1 ? key("A", `◂ ${state.round - 1}`, "round", { page: { round: state.round - 1, at: 0 } }, { pageKey: true }) : well("A", 1, "◂"),
    state.round < lastSettled(screen) ? key("B", `${state.round + 1} ▸`, "round", { page: { round: state.round + 1, at: 0 } }, { pageKey: true }) : well("B", 1, "▸")];
  const frames = told?.finished ? film(told.records) : [];
  if (frames.length === 0) {
    const why = told === undefined ? "It is being read." : told === null ? "It is no longer at hand here." : told.finished ? "Nothing was recorded in it." : "It is not settled yet.";
    return ofVisit(screen, local, `round ${state.round}`, why, { zone: { kind: "sheet", panels: [{ title: why, rows: [] }] }, tools: [floorPages], slots: rounds });
  }
  const at = Math.min(state.at, frames.length - 1);
  const many = local.roomy ? FRAMES.roomy : FRAMES.compact;
  const from = Math.max(0, Math.min(at - 3, frames.length - many));
  const now = frames[at];
  return ofVisit(screen, local, `round ${state.round}, ${at + 1} of ${frames.length}`, now.said, {
    zone: { kind: "film", frames: frames.slice(from, from + many).map((frame, index) => ({ when: `${from + index + 1} · ${timeOf(frame.ms, true).slice(3)}`, card: frame.card ? face(frame.card) : null, icon: frame.icon, what: frame.what, who: frame.who, now: from + index === at, act: { page: { at: from + index } } })), table: now.table },
    tools: [floorPages, printTool],
    slots: [...rounds, at > 0 ? key("C", "◂", `frame ${at}`, { page: { at: at - 1 } }, { pageKey: true }) : well("C", 1, "◂"),
      at < frames.length - 1 ? amber("▸", `frame ${at + 2}`, { page: { at: at + 1 } }, { pageKey: true }) : well("D", 2, "last frame", timeOf(now.ms, true))],
  });
}

export const step = (screen, state, act) => ({ state: { ...state, ...act } });
