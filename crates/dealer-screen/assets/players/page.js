// The players' display: asks the table every second, counts up, and says so when it has heard nothing for a while.

import { el, span } from "../draw/dom.js";
import { GONE_AFTER_MS, TURN_MS, counted, figure, view } from "./view.js";

const ASK_EVERY_MS = 1000;
const root = document.getElementById("players");
const state = { told: null, heard: -Infinity, key: null, from: 0, to: 0, since: 0, drawn: "" };

function draw(now) {
  if (!state.told) return;
  const turn = Math.floor(now / TURN_MS);
  const shown = view(state.told, turn);
  if (shown.key && (shown.key !== state.key || shown.cents !== state.to)) {
    const from = shown.key === state.key ? counted(state.from, state.to, now - state.since) : shown.cents;
    Object.assign(state, { key: shown.key, from, to: shown.cents, since: now });
  }
  const gone = now - state.heard > GONE_AFTER_MS;
  const cents = shown.key ? counted(state.from, state.to, now - state.since) : null;
  const mark = JSON.stringify([shown, gone]);
  if (mark !== state.drawn) {
    state.drawn = mark;
    root.className = `${shown.kind}${gone ? " gone" : ""}`;
    root.replaceChildren(...parts(shown, gone));
  }
  if (cents !== null) write(figure(cents));
}

function write({ whole, cents }) {
  const [large, small] = [root.querySelector(".whole"), root.querySelector(".cents")];
  if (large && large.textContent !== whole) large.textContent = whole;
  if (small && small.textContent !== cents) small.textContent = cents;
}

const corner = (at) => span(`corner ${at}`, span("dot"));
const amount = () => el("p", { class: "amount" }, span("sign", "$"), span("whole"), span("cents"));

function parts(shown, gone) {
  const head = el("header", {}, el("h1", { class: shown.title.length > 14 ? "long" : "" }, shown.title), el("p", {}, shown.about));
  return [...["left top", "right top", "left bottom", "right bottom"].map(corner), head, middle(shown),
    shown.boxes ? el("section", { class: "boxes" }, shown.boxes.map((box) => el("div", {}, el("p", { class: box.about.length > 26 ? "long" : "" }, box.about), el("b", { class: box.figure.length > 14 ? "long" : "" }, box.figure), el("small", {}, box.note)))) : null,
    el("footer", {}, gone ? el("b", {}, "Amounts are being updated") : shown.foot.last ? el("span", {}, "Last jackpot ", el("b", {}, shown.foot.last.amount), shown.foot.last.when ? ` · ${shown.foot.last.when}` : "") : el("span"), el("span", {}, shown.foot.limits))].filter(Boolean);
}

function middle(shown) {
  if (shown.kind === "posting") return el("main", {}, shown.statements.map((text) => el("p", { class: "statement" }, text)));
  if (shown.kind === "pending") return el("main", {}, el("div", { class: "panel" }, el("h2", {}, "Jackpot"), amount(), el("p", { class: "verified" }, shown.verified)), el("p", { class: "next" }, "Next jackpot starts at ", el("b", {}, shown.next)));
  return el("main", {}, amount());
}

async function ask() {
  const answer = await fetch("/api/v1/players", { cache: "no-store" }).catch(() => null);
  if (answer?.status === 401) root.replaceChildren(el("p", { class: "statement" }, "This display has no key. Open it through its own link."));
  if (!answer?.ok) return;
  state.told = await answer.json();
  state.heard = performance.now();
}

function frame(now) {
  draw(now);
  requestAnimationFrame(frame);
}

await ask();
setInterval(ask, ASK_EVERY_MS);
requestAnimationFrame(frame);
