// The demo's rail: the felt, the lock-out button, the shoe and the reader, for whoever has no table at hand. Nothing of it is
// in a table's daemon.

import { chipValue } from "../core/money.js";
import { chip, el, icon } from "../draw/dom.js";
import { listen } from "../send.js";
import { felt, line, lines } from "./coach.js";

const TYPE = { "content-type": "application/json" };
const byId = (id) => document.getElementById(id);
const state = { offer: null, settings: { chips: [] }, screen: null, chosen: 2500, said: "" };

const wish = async (body) => {
  const sent = await fetch("/api/v1/demo", { method: "POST", headers: TYPE, body: JSON.stringify(body) }).catch(() => null);
  state.said = sent?.ok ? "" : "not now";
  draw();
};
const hand = (act) => wish({ hand: act });

const button = (kind, click, ...inside) => {
  const node = el("button", { type: "button", class: kind, disabled: !click }, ...inside);
  if (click) node.addEventListener("click", click);
  return node;
};

function draw() {
  const { offer, screen } = state;
  if (!offer || !screen) return;
  byId("coach").replaceChildren(...(offer.dealer === "person" ? coach(screen, offer) : robot(offer)));
  byId("rail").replaceChildren(...(offer.dealer === "person" ? rail(screen, offer) : [el("b", { class: "mark" }, "DEMO"), el("p", {}, "A robot deals, players and a floorperson are robots too. Nothing has to be tapped.")]));
  document.body.classList.toggle("robot", offer.dealer !== "person");
}

const faults = (offer) => el("div", { class: "faults" }, offer.faults.map((fault) => {
  const node = button("fault", () => wish({ fault: fault.word }), fault.label.charAt(0).toUpperCase() + fault.label.slice(1));
  node.dataset.fault = fault.word;
  return node;
}));

function coach(screen, offer) {
  const now = line(screen);
  return [el("h2", {}, "A round in a minute"),
    el("ol", {}, lines(screen).map((text, at) => el("li", { class: now === at ? "now" : now !== null && at < now ? "done" : "" }, text))),
    el("p", {}, "Make something go wrong"), faults(offer), el("p", { role: "status" }, state.said)];
}

const robot = (offer) => [el("h2", {}, "A robot is dealing"), el("p", {}, "The keys of the screen are the robot's. To deal yourself: holecard demo --manual"), el("p", {}, "Make something go wrong"), faults(offer)];

function rail(screen, offer) {
  const may = felt(screen);
  const glow = (what) => (may.next === what ? " glow" : "");
  const chips = state.settings.chips.slice(0, 5).map((each) => button(`pick${each.cents === state.chosen ? " chosen" : ""}`, () => choose(each.cents), chip(chipValue(each.cents), each.colour, "rail-chip")));
  const take = button(`pick${state.chosen === null ? " chosen" : ""}`, () => choose(null), "take back");
  return [el("b", { class: "mark" }, "DEMO"), el("div", { class: `tray${glow("chips")}` }, ...chips, take), el("div", { class: "spots" }, screen.seats.map((seat) => spot(seat, may, offer))),
    button(`lock${glow("lock")}`, may.lock ? () => hand("lock-out") : null, el("i", { class: "red" }), el("b", {}, "Lock-out")),
    button(`act draw${glow("draw")}`, may.draw ? () => hand("draw") : null, icon("shoe"), el("b", {}, "Draw"), el("small", {}, may.draw ? "from the shoe" : screen.stage === "wagering" ? "lock first" : "nothing to draw")),
    button(`act insert${glow("insert")}`, may.insert ? () => hand("insert") : null, icon("reader"), el("b", {}, "Insert"), el("small", {}, screen.mode === "inspection" ? "test card" : may.insert ? "hole card" : "no hole card"))];
}

function spot(seat, may, offer) {
  const put = () => (state.chosen === null ? hand({ "take-back": { seat: seat.seat } }) : hand({ chip: { seat: seat.seat, cents: state.chosen } }));
  const worth = [...state.settings.chips].sort((one, other) => other.cents - one.cents).find((each) => each.cents <= (seat.main_cents ?? 0));
  const lying = seat.in_play ? chip(worth ? chipValue(worth.cents) : "✓", worth?.colour ?? "#3d4f49", "rail-chip") : null;
  const lamp = offer.progressive ? seat.lamps.find((each) => each.wager === offer.progressive) : null;
  const side = lamp ? button(`side ${lamp.state}`, may.side ? () => hand({ progressive: { seat: seat.seat } }) : null) : null;
  if (side) side.setAttribute("aria-label", `progressive spot of seat ${seat.seat}: ${lamp.state}`);
  const node = button("spot", may.chips ? put : null, lying, el("b", {}, String(seat.seat)));
  node.dataset.spot = seat.seat;
  return el("div", { class: "place-of-seat" }, side, node);
}

function choose(cents) {
  state.chosen = cents;
  draw();
}

const get = (path) => fetch(path, { cache: "no-store" }).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
[state.offer, state.settings] = await Promise.all([get("/api/v1/demo"), get("/api/v1/settings").then((sent) => sent ?? state.settings)]);
listen({
  screen(frame) {
    state.screen = frame;
    draw();
  },
  saving() {}, visit() {}, alive() {}, closed() {},
});
