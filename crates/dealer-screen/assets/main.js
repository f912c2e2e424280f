// The dealer's page: the latest screen, what can be tapped, and whether it is current.

import { offerFaults } from "./demo.js";
import { button, el, money, title } from "./dom.js";
import { label, needsPerson, ofSeat, plan, sameOffers } from "./offers.js";
import * as people from "./people.js";
import { listen, post } from "./send.js";
import { zone } from "./table.js";
import * as wizard from "./wizard.js";

// After this long without a sign of life the page says that it is not current.
const GONE_AFTER_MS = 3000;
// A slot whose meaning has just changed takes no tap for this long: the finger was meant for the old one.
const DEAD_MS = 250;

let screen = null;
let saving = false;
let heard = 0;
let sending = false;
let refused = null;
let changed = 0;
// The number of the prompt that somebody is typing a PIN for.
let pinFor = null;

const byId = (id) => document.getElementById(id);

// What makes an order another one.
const orderOf = ({ round, stage, prompt }) => JSON.stringify([round, stage, prompt.text, prompt.clause]);

// ---- saying things

// These say themselves what they are about and do not answer the order: they are as right after it has changed.
const ANY_TIME = new Set(["sign-in", "sign-out", "acknowledge", "clear", "confirm-clock", "begin-inspection", "enter-service",
  "leave-service", "replace-reader"]);
const MOVED_ON = { reason: "the table has moved on: look again", clause: "api stale" };

async function send(action, needs = false) {
  if (sending || !screen) return;
  sending = true;
  document.body.classList.add("sent");
  // What was on the page when it was tapped, and never a later one: the table refuses what was meant for another order.
  const prompt = ANY_TIME.has(action.do) ? null : screen.prompt_number;
  const what = action.do === "play" ? action.words : title(action.do);
  let credentials = {};
  try {
    let result = needs ? null : await post(action, prompt);
    let note = null;
    while (result === null || asksForPerson(result)) {
      if (result?.status === 401 || result?.status === 429) {
        note = result.body.reason;
        credentials = {};
      } else if (result) {
        note = result.body.reason;
      }
      const second = credentials.person && result?.body.second;
      pinFor = prompt;
      const given = await people.ask(what, second ? `${note} Second person's number` : note);
      if (given) credentials = second ? { ...(await again(credentials, what)), second: given } : given;
      if (!given || !credentials.person) {
        if (prompt !== null && screen.prompt_number !== prompt) refused = MOVED_ON;
        return;
      }
      result = await post(action, prompt, credentials);
    }
    refused = result.status === 200 ? null : result.body;
  } finally {
    sending = false;
    pinFor = null;
    document.body.classList.remove("sent");
    draw();
  }
}

const asksForPerson = ({ status, body }) => status === 401 && body.error !== "no-key" || body.error === "needs-person" || body.error === "locked-out";

// A pad is good for one PIN, so the first person types theirs again beside the second.
async function again(credentials, what) {
  return (await people.ask(what, `First person again (number ${credentials.person})`)) ?? {};
}

const say = (words) => send({ do: "play", words }, needsPerson(words));

// `shown`: the screen that the offer was drawn from. A sheet may be older than the page behind it.
function tap(offer, shown = screen) {
  const stands = () => JSON.stringify(sameOffers(screen, offer)) === JSON.stringify(sameOffers(shown, offer));
  const ifStands = (deed) => (words) => (stands() ? deed(words) : moveOn());
  if (offer.action) ifStands(send)(offer.action);
  else if (wizard.isPlain(offer)) ifStands(say)(offer.word);
  else ifStands(() => wizard.complete(offer, shown, ifStands(say)))();
}

function moveOn() {
  wizard.close();
  refused = MOVED_ON;
  draw();
}

const act = {
  seat(seat) {
    if (!screen) return;
    const shown = screen;
    const offers = ofSeat(shown, seat);
    if (offers.length === 0) return;
    wizard.tiles(`Seat ${seat}`, offers.map((offer) => {
      const [text] = label(offer);
      return [offer.text ?? text, offer.wager ? title(offer.wager) : null, () => tap(offer, shown)];
    }));
  },
  inspection: (answer) => send({ do: "inspection-answer", answer }, answer === "sign"),
  inspectionText: (hint) => wizard.form("Inspection", [{ name: "answer", label: "What was found", hint }], ({ answer }) => act.inspection(answer)),
  floor: (action) => { wizard.close(); send(action, true); },
};

// ---- sheets

const offerTiles = (offers, shown = screen) => offers.map((offer) => {
  const [text, note] = label(offer);
  return [offer.text ?? text, note, () => { wizard.close(); tap(offer, shown); }];
});

const whole = (text) => (/^-?\d+$/.test(text) ? Number(text) : null);
const dollars = (text) => {
  const match = /^(-?)(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text);
  return match ? (match[1] ? -1 : 1) * (Number(match[2]) * 100 + Number((match[3] ?? "").padEnd(2, "0"))) : null;
};

function floorSheet() {
  const todo = plan(screen).floor;
  const meter = () => wizard.form("Correct a meter: two people", [
    { name: "wager", label: "Wager", choices: [...new Set(screen.meters.map((each) => each.wager))] },
    { name: "meter", label: "Meter", choices: [...new Set(screen.meters.map((each) => each.meter))] },
    { name: "pool", label: "Part", choices: ["meter", "reserve", "overflow"] },
    { name: "cents", label: "New amount in dollars", read: dollars },
    { name: "reason", label: "Why" },
  ], (filled) => act.floor({ do: "correct-meter", ...filled }));
  const reader = () => wizard.form("Another reader: two people", [{ name: "serial", label: "Serial number" }],
    (filled) => act.floor({ do: "replace-reader", ...filled }));
  const byHand = () => wizard.form("Settled by hand", [{ name: "reason", label: "How it was settled" }],
    (filled) => act.floor({ do: "settled-by-hand", ...filled }));
  const chips = () => wizard.form("Chips counted", [{ name: "chips", label: "Chips collected from the spots", read: whole }],
    (filled) => { wizard.close(); send({ do: "chip-count", ...filled }); });
  const simple = (text, action, note = null) => [text, note, () => act.floor(action)];
  wizard.tiles("Floor and table", [
    ...offerTiles(todo),
    screen.signed_in === null
      ? simple("Sign in", { do: "sign-in" }, "dealer")
      : ["Sign out", `dealer ${screen.signed_in}`, () => { wizard.close(); send({ do: "sign-out" }); }],
    simple("Inspection", { do: "begin-inspection", full: false }, "daily"),
    simple("Inspection", { do: "begin-inspection", full: true }, "full set"),
    simple("Confirm the clock", { do: "confirm-clock" }),
    ["Chip count", null, chips],
    ["Alerts", `${screen.alerts.length} open`, alertSheet],
    ["Meters", null, meterSheet],
    ["Devices", null, deviceSheet],
    screen.mode === "service" ? simple("Leave service", { do: "leave-service" }) : simple("Service", { do: "enter-service" }, "technician"),
    ["Another reader", null, reader],
    ...(screen.meters.length ? [["Correct a meter", null, meter]] : []),
    ["Settled by hand", "an old round", byHand],
  ]);
}

function alertSheet() {
  const rows = screen.alerts.map((alert) => el("div", { class: `row ${alert.severity}` },
    el("span", {}, el("b", {}, alert.text), el("small", {}, `${alert.source} · ${alert.severity === "stop" ? "stops the next round" : "attend"}${alert.acknowledged_by !== null ? ` · seen by ${alert.acknowledged_by}` : ""}${alert.ended ? " · cause gone" : ""}`)),
    alert.acknowledged_by === null ? button("Seen", () => act.floor({ do: "acknowledge", alert: alert.alert })) : null,
    button("Cleared", () => act.floor({ do: "clear", alert: alert.alert }))));
  const stops = screen.stops.map((stop) => el("div", { class: "row stop" }, el("span", {}, el("b", {}, `No next round: ${stop.reason}`), el("small", {}, stop.source))));
  const none = rows.length + stops.length === 0 ? el("p", {}, "Nothing is open.") : null;
  wizard.show("Alerts", el("div", { class: "rows" }, ...stops, ...rows, none));
}

function meterSheet() {
  const rows = screen.meters.map((meter) => el("div", { class: "row" },
    el("span", {}, el("b", {}, `${title(meter.wager)} ${meter.meter}`),
      el("small", {}, `reserve ${money(meter.reserve_cents)} · overflow ${money(meter.overflow_cents)} · ${meter.hits} hits, ${money(meter.wins_cents)} · ${meter.balanced ? "✓ balances" : "✕ does not balance"}`)),
    el("b", {}, money(meter.amount_cents))));
  wizard.show("Meters", el("div", { class: "rows" }, ...rows, rows.length ? null : el("p", {}, "This table has no meters.")));
}

function deviceSheet() {
  const rows = screen.devices.filter((device) => device.present).map((device) => el("div", { class: `row ${device.up ? "" : "stop"}` },
    el("span", {}, el("b", {}, `${device.up ? "✓" : "✕"} ${title(device.part)}`), el("small", {}, `${device.model} ${device.serial} · ${device.state}${device.faults.length ? " · " + device.faults.join(", ") : ""}`))));
  wizard.show("Devices", el("div", { class: "rows" }, ...rows, rows.length ? null : el("p", {}, "No devices.")));
}

// ---- drawing

const STAGES = {
  closed: "The table is closed.", preparing: "The cards are made ready.", irregularity: "The round waits.", wagering: "Bets are open.",
  dealing: "Dealing.", "first-card-wagers": "First-card wagers.", insurance: "Insurance is open.", reader: "The reader is next.",
  "reader-stopped": "The reader is out of service.", decisions: "Players decide.", reveal: "The hole card is next.",
  "dealer-draws": "The dealer draws.", wheel: "The wheel.", settlement: "Settlement.",
};

function draw() {
  if (!screen) return;
  const { prompt } = screen;
  const stage = screen.lines.some((line) => !line.confirmed) ? "settlement" : screen.stage;
  byId("situation").textContent = screen.mode === "inspection" ? "Daily inspection." : STAGES[stage] ?? stage;
  byId("text").textContent = prompt.text;
  // The largest of three sizes in which the whole order is to be seen.
  for (const size of ["", "long", "tiny"]) {
    byId("text").className = size;
    if (byId("order").scrollHeight <= byId("order").clientHeight) break;
  }
  byId("clause").textContent = prompt.clause;
  byId("zone").replaceChildren(zone(screen, act));
  drawStrip();
  drawActions();
}

function drawStrip() {
  const strip = byId("strip");
  const alert = screen.alerts.find((each) => each.acknowledged_by === null);
  const stop = screen.stops[0];
  strip.className = "";
  const saved = el("span", { class: "saved" }, document.body.classList.contains("gone") ? "✕ not current" : saving ? "saving …" : "✓ saved");
  if (refused) {
    strip.className = "refused";
    strip.replaceChildren(el("b", {}, "✕ Not done: "), el("span", {}, refused.reason), el("small", {}, refused.clause), saved);
  } else if (alert || stop) {
    const [text, source] = alert ? [alert.text, alert.source] : [`No next round: ${stop.reason}`, stop.source];
    strip.className = !alert || alert.severity === "stop" ? "stop" : "attend";
    strip.replaceChildren(el("b", {}, alert?.severity === "attend" ? "▲" : "✕"), el("span", {}, text), el("small", {}, source),
      button("Show", alertSheet, { class: "quiet" }), saved);
  } else {
    const cells = [`${title(screen.game)} · ${screen.table}`, `Round ${screen.round}`, screen.locked ? "locked" : screen.stage === "wagering" ? "bets open" : null,
      screen.cover_seen ? "cover card out" : null, screen.signed_in === null ? "no dealer" : `Dealer ${screen.signed_in}`];
    strip.replaceChildren(...cells.filter(Boolean).map((text) => el("span", {}, text)), saved);
  }
}

let slotsShown = "";

function drawActions() {
  const todo = plan(screen);
  const bar = byId("actions");
  const slots = todo.slots.map((slot, index) => (slot.ghost
    ? el("span", { class: "well" }, slot.ghost)
    : slotButton(slot, `slot-${index}`, `slot`)));
  const key = JSON.stringify([todo.slots, todo.main]);
  if (key !== slotsShown) changed = performance.now();
  slotsShown = key;
  bar.className = todo.main ? "with-main" : "decisions";
  bar.replaceChildren(
    tool("Floor", floorSheet, todo.floor.length), tool("Problem", () => wizard.tiles("What happened?", offerTiles(todo.problem)), 0, todo.problem.length === 0),
    tool("Undo", () => say("undo"), 0, !todo.undo), tool("More", () => wizard.tiles("More", offerTiles(todo.more)), 0, todo.more.length === 0),
    ...slots,
    todo.main ? mainButton(todo.main) : el("span", { hidden: true }));
}

const tool = (text, click, count, disabled = false) => button(text, click, { class: "tool", disabled, "data-tool": text.toLowerCase() }, count ? String(count) : null);

function slotButton(offer, id, kind) {
  const [text, note] = label(offer);
  const live = () => {
    if (offer.word !== "lock" && performance.now() - changed < DEAD_MS) return;
    tap(offer);
  };
  return button(offer.text ?? text, live, { class: kind, id, "data-word": offer.word }, offer.note ?? note);
}

function mainButton(main) {
  if (main.wait) {
    return el("span", { class: "wait", id: "main" }, el("b", {}, `${title(main.wait)} is next`), el("small", {}, "no tap needed"));
  }
  return slotButton(main, "main", "main");
}

// ---- being current

function judge() {
  const gone = performance.now() - heard > GONE_AFTER_MS;
  const was = document.body.className;
  document.body.classList.toggle("gone", gone);
  document.body.classList.toggle("saving", saving);
  if (was !== document.body.className) draw();
}

listen({
  screen(frame) {
    heard = performance.now();
    if (screen && orderOf(frame) !== orderOf(screen)) {
      refused = null;
      // What was being completed belonged to the old prompt.
      wizard.close();
    }
    screen = frame;
    // Nobody types a PIN for what the table would refuse.
    if (pinFor !== null && frame.prompt_number !== pinFor) people.callOff();
    judge();
    draw();
  },
  saving(now) {
    heard = performance.now();
    saving = now;
    judge();
    draw();
  },
  alive() {
    heard = performance.now();
    judge();
  },
  closed() {
    if (!screen) byId("text").textContent = "This page has no key. Open it through the kiosk's link.";
  },
});
setInterval(judge, 500);
offerFaults(byId("demo"));
addEventListener("resize", draw);

document.addEventListener("keydown", (event) => {
  if (event.target instanceof HTMLInputElement || event.repeat) return;
  if (people.isOpen()) return;
  if (wizard.isOpen()) {
    if (event.key === "Enter") byId("enter")?.click();
    if (event.key === "Escape") wizard.close();
    return;
  }
  const tool = { "/": "floor", "*": "problem", "-": "undo", Backspace: "undo" }[event.key];
  const slots = [...document.querySelectorAll("#actions .slot, #actions .well")].reverse();
  if (event.key === "Enter") byId("main")?.click();
  else if (tool) document.querySelector(`[data-tool=${tool}]`)?.click();
  else if (/^[1-5]$/.test(event.key)) slots[Number(event.key) - 1]?.click();
  else return;
  event.preventDefault();
});
