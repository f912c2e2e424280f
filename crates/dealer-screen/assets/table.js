// The table as it lies: seats, dealer, settlement lines, inspection. Shows what it is sent and works nothing out.

import { button, card, el, money, title } from "./dom.js";

const LAMPS = { invited: "◌", placed: "◉", accepted: "●", late: "▲" };

export function zone(screen, act) {
  if (screen.inspection && screen.mode === "inspection") return inspection(screen.inspection, act);
  const open = screen.lines.findIndex((line) => !line.confirmed);
  const below = el("div", { id: "below" }, dealer(screen), open >= 0 ? null : focus(screen));
  const parts = [seats(screen, act)];
  if (open >= 0) return el("div", { id: "table", class: "settling" }, settlement(screen, open), below);
  return el("div", { id: "table" }, ...parts, below);
}

function seats(screen, act) {
  const row = el("div", { id: "seats" });
  const middle = (screen.seats.length + 1) / 2;
  for (const seat of screen.seats) {
    const turn = seat.hands.some((hand) => hand.turn);
    const far = Math.abs(seat.seat - middle) < middle / 2;
    const node = el(
      "button",
      {
        type: "button",
        class: `seat${turn ? " turn" : ""}${seat.in_play || lit(seat) ? "" : " empty"}${far ? " far" : ""}`,
        "data-seat": seat.seat,
        click: () => act.seat(seat.seat),
      },
      el("span", { class: "head" }, el("b", { class: "number" }, String(seat.seat)), turn ? el("em", {}, "TURN", el("i", {}, " ▼")) : null,
        seat.in_play ? el("span", { class: "stake" }, money(seat.main_cents)) : null),
      wagers(seat),
      hands(seat),
      lamps(seat),
    );
    row.append(node);
  }
  return row;
}

const lit = (seat) => seat.lamps.some((lamp) => lamp.state !== "dark");

function wagers(seat) {
  const list = el("span", { class: "wagers" });
  if (seat.insurance_cents !== null) list.append(el("span", { class: "info" }, `insurance ${money(seat.insurance_cents)}`));
  for (const side of seat.side) {
    list.append(el("span", { class: `side${side.open ? "" : " done"}` }, `${title(side.wager)} ${money(side.stake_cents)}`));
  }
  // A low panel has one line for them.
  if (seat.side.length) list.append(el("span", { class: "count" }, `${seat.side.length} side`));
  return list;
}

function hands(seat) {
  const dealt = seat.hands.filter((hand) => hand.cards.length);
  const list = el("span", { class: `hands${dealt.length > 1 ? " many" : ""}` });
  for (const hand of dealt) {
    const total = hand.total === null ? "" : hand.soft ? `${hand.total - 10}/${hand.total}` : String(hand.total);
    const word = [hand.doubles ? "doubled" : "", hand.state === "open" ? "" : hand.state].filter(Boolean).join(", ");
    // Several hands share the column: the last cards of each; the pane below has the whole hand that is to act.
    const cards = dealt.length > 1 ? hand.cards.slice(-3) : hand.cards;
    const small = dealt.length > 1 || hand.cards.length > 3;
    list.append(
      el("span", { class: `hand${hand.turn ? " turn" : ""}${hand.state === "bust" ? " bust" : ""}${small ? " small" : ""}` },
        el("span", { class: "cards" }, ...cards.map((each) => card(each))),
        el("span", { class: "sum" }, el("span", { class: "total" }, total), el("span", { class: "word" }, word))),
    );
  }
  if (dealt.length === 0 && !seat.in_play) list.append(el("span", { class: "word" }, "no bet"));
  return list;
}

function lamps(seat) {
  const list = el("span", { class: "lamps" });
  for (const lamp of seat.lamps.filter((each) => each.state !== "dark")) {
    list.append(el("span", { class: `lamp ${lamp.state}`, "aria-label": `spot ${lamp.spot} ${lamp.state}` }, LAMPS[lamp.state], el("small", {}, ` ${lamp.state}`)));
  }
  return list;
}

function dealer(screen) {
  const { cards, hole, total, soft } = screen.dealer;
  const lying = hole === "sealed" ? [...cards, "?"] : cards;
  const faces = lying.map((each) => card(each, lying.length <= 2));
  const said = { none: "no hole card yet", sealed: "hole card sealed", revealed: soft ? "soft" : "" }[hole];
  return el("div", { id: "dealer" },
    el("span", { class: "cards" }, ...faces),
    el("span", { class: "said" }, el("span", {}, "Dealer"),
      el("b", { class: "total" }, total === null ? "" : String(total)),
      el("span", {}, cards.length === 0 && hole === "none" ? "no cards" : said)));
}

function focus(screen) {
  const seat = screen.seats.find((each) => each.hands.some((hand) => hand.turn));
  if (seat) {
    const at = seat.hands.findIndex((hand) => hand.turn);
    const hand = seat.hands[at];
    const many = seat.hands.length > 1 ? `hand ${at + 1} of ${seat.hands.length}` : "hand";
    return el("div", { id: "focus", class: "turn" },
      el("span", { class: "said" }, el("span", {}, `Seat ${seat.seat}`), el("b", {}, many), el("span", {}, money(hand.stake_cents))),
      el("span", { class: "cards" }, ...hand.cards.map((each) => card(each, hand.cards.length <= 4))),
      el("span", { class: "said right" },
        el("b", { class: "total" }, hand.total === null ? "" : hand.soft ? `${hand.total - 10}/${hand.total}` : String(hand.total)),
        el("span", {}, hand.total === null ? "face down" : hand.soft ? "soft" : "hard")));
  }
  const meters = screen.meters.map((meter) =>
    el("span", { class: "said" }, el("span", {}, `${title(meter.wager)} ${meter.meter}`), el("b", {}, money(meter.amount_cents)),
      meter.balanced ? null : el("span", { class: "stop" }, "✕ does not balance")));
  const day = screen.day;
  const more = meters.length > 3 ? el("span", { class: "said right" }, el("span", {}, `${meters.length - 3} more`), el("span", {}, "under Floor")) : null;
  if (meters.length) return el("div", { id: "focus" }, ...meters.slice(0, 3), more);
  return el("div", { id: "focus" },
    el("span", { class: "said right" }, el("span", {}, `${day.rounds} rounds today`),
      el("span", {}, day.inspected ? "✓ inspected" : "not inspected")));
}

// As many lines as fit a low panel with two lines of text each.
const ROWS = 4;
const GIVES = new Set(["won", "tied", "surrendered", "rescued", "void"]);

function settlement(screen, open) {
  const from = Math.max(0, Math.min(open - 1, screen.lines.length - ROWS));
  const rows = screen.lines.slice(from, from + ROWS).map((line, index) => {
    const at = from + index;
    const current = at === open;
    const gives = GIVES.has(line.outcome);
    // What leaves or enters the rack; a stake that goes back lies on the felt and is named beside it.
    const won = line.outcome === "won";
    const cents = won ? line.pays_cents : gives ? line.returned_cents : line.stake_cents;
    const back = won && line.returned_cents ? ` · stake ${money(line.returned_cents)} back` : "";
    const verb = line.confirmed ? "✓ done" : gives ? (won ? "▲ PAY" : "▲ RETURN") : "▼ TAKE";
    return el("div", { class: `line${current ? " current" : ""}${line.confirmed ? " done" : ""}` },
      el("span", {}, String(at + 1)), el("b", { class: "number" }, String(line.position)),
      el("span", { class: "why" }, el("b", {}, `${line.wager === "main" ? "" : title(line.wager) + ": "}${line.line}${line.odds ? ", " + line.odds : ""}`),
        el("small", {}, `${line.hand > 1 ? `hand ${line.hand} · ` : ""}${line.outcome}${back} · ${line.clause}`)),
      el("span", { class: gives ? "ok" : "stop" }, el("b", {}, verb), line.approval && !line.confirmed ? el("small", {}, `needs ${line.approval}`) : null),
      el("b", { class: "amount" }, cents === null ? (line.odds ?? "chips") : money(cents)));
  });
  const left = screen.lines.length - from - rows.length;
  return el("div", { id: "lines" }, ...rows, el("p", {}, left > 0 ? `▾ ${left} more` : `Line ${open + 1} of ${screen.lines.length}`));
}

function inspection(view, act) {
  const signs = { open: "○", passed: "✓", failed: "✕" };
  const steps = view.steps.map((step, index) =>
    el("li", { class: `${step.state}${index + 1 === view.step ? " current" : ""}` },
      el("b", {}, `${signs[step.state]} ${index + 1} ${step.name}`), el("small", {}, step.note)));
  const answers = view.answers.map((answer) =>
    answer.startsWith("<")
      ? button("Type it in", () => act.inspectionText(answer), { class: "act" })
      : button(title(answer), () => act.inspection(answer), { class: answer === "fail" ? "stop" : "act" }));
  return el("div", { id: "inspection" }, el("ol", {}, ...steps),
    el("div", { class: "now" }, el("h2", {}, view.text), el("p", {}, `${view.source}${view.last ? ` · last: ${view.last}` : ""}`),
      el("div", { class: "tiles" }, ...answers, button("Pause", () => act.floor({ do: "pause-inspection" })))));
}
