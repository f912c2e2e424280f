// The dealer's page: the latest screen, what the page itself knows, and what is tapped.

import { boxesRepeated, newGate, shown, takes } from "./core/gate.js";
import { insuredNow, noteInsured } from "./core/insured.js";
import { needsSignature } from "./core/offers.js";
import { PAGES, isOfVisit, pageOf } from "./core/pages.js";
import { isCompact, rem, settings } from "./core/settings.js";
import { signs } from "./core/signing.js";
import { view } from "./core/view.js";
import { paint } from "./draw/page.js";
import { answered } from "./pages/sign.js";
import { fetchPad, fetchPeople, fetchSettings, listen, post, read } from "./send.js";
import { watch } from "./touch.js";
import { visiting } from "./visiting.js";

// After this long without a sign of life the page says that it is not current.
const GONE_AFTER_MS = 3000;
// So long the strip says that a tap was not taken.
const DROPPED_MS = 1500;

const kiosk = document.getElementById("kiosk");
let screen = null;
let heard = -Infinity;
let gate = newGate();
let painted = null;
let sending = 0;
const local = { page: null, own: null, look: null, why: false, refused: null, dropped: null, pending: {}, saving: false, gone: true, settings: settings(null), people: [], visit: null, read: {}, insured: null, due: null, minute: null };

function draw() {
  painted = view(screen, local);
  paint(painted, local);
  kiosk.classList.toggle("sent", sending > 0);
  kiosk.dataset.prompt = painted.number ?? "";
}

function resize() {
  const { clientWidth: width, clientHeight: height } = kiosk;
  const size = rem(width, height, local.settings.px_per_mm);
  document.documentElement.style.fontSize = `${size}px`;
  local.roomy = !isCompact(width, height, size);
  kiosk.classList.toggle("compact", !local.roomy);
  draw();
}

// ---- what a tap does

// `number`: the prompt that was on the page when the finger went down.
function dispatch(act, number) {
  if (!act || !screen) return;
  local.refused = null;
  if (act.why !== undefined) local.why = act.why && !local.why;
  else if (act.toggle) return toggle(act.toggle);
  else if (act.leave) visit.leave();
  else if (act.print) print();
  else if (act.close) closePage();
  else if (act.page) stepPage(act.page);
  else if (act.sign) askToSign(act.sign, number);
  else if (act.open === "look") local.look = local.look === act.seat ? null : act.seat;
  else if (act.open === "less") openLess();
  else if (act.open) openPage(act.open, act);
  else if (act.send?.do === "play" && needsSignature(screen, act.send.words)) askToSign(act.send, number);
  else if (act.send && local.visit && signs(local.visit, act.send)) askToSign(act.send, number);
  else if (act.send) return send(act, number);
  draw();
}

function askToSign(action, number, note = null) {
  openPage("sign", { action, prompt: ANY_TIME.has(action.do) ? null : number, note });
}

// Pages of a visit are opened by a PIN, and by nothing else.
function openPage(name, args) {
  const page = PAGES[name];
  if (!page) return;
  local.why = false;
  if (isOfVisit(name) && !local.visit) return openPage("sign", { action: { do: "visit" }, then: { name, args } });
  local.page = { name, state: page.open(screen, name === "sign" ? { ...args, people: local.people, visit: local.visit } : args) };
  if (name === "sign" && local.page.state.person !== null) askForPad();
  readFor(local.page, true);
}

// What a page has to be told before it can show it: asked for when it opens, and again when it turns to something else.
function readFor({ name, state }, anew) {
  for (const address of PAGES[name].wants?.(screen, state, local) ?? []) {
    if (!anew && local.read[address] !== undefined) continue;
    read(address, local.visit?.token).then((told) => {
      local.read = { ...local.read, [address]: told };
      draw();
    });
  }
}

function openLess() {
  const { min_cents: least, max_cents: most, step_cents: step } = screen.prompt.offers.find((offer) => offer.word === "double");
  openPage("number", { what: "double", cents: true, least, most, step });
}

// In a visit the dealer's keys come back with Leave: until then there is always one of its pages.
function closePage() {
  local.page = null;
  local.own = null;
  if (local.visit && pageOf(screen, local)?.name !== "inspection") openPage(screen.verifying ? "jackpot" : "floor", {});
}

// The page that is shown, opened by somebody or called for by the table.
function stepPage(act) {
  const page = local.page ?? pageOf(screen, local);
  if (!page) return;
  follow(page, PAGES[page.name].step(screen, page.state, act, local));
}

function follow(page, result) {
  if (result.close) closePage();
  else if (local.page) local.page = { name: page.name, state: result.state };
  else local.own = { name: page.name, state: result.state };
  if (!result.close) readFor(local.page ?? local.own, Boolean(result.anew));
  if (result.needPad) askForPad();
  if (result.credentials) signed(page.state, result.credentials);
}

async function askForPad() {
  const asked = local.page;
  const pad = await fetchPad().catch(() => null);
  if (local.page !== asked && local.page?.name !== "sign") return;
  if (pad) stepPage({ pad });
  else local.refused = { reason: "no PIN pad now: try again", clause: "api unreachable" };
  draw();
}

async function signed(state, credentials) {
  const opens = state.action.do === "visit";
  const byVisit = !credentials.person && local.visit ? { visit: local.visit.token } : {};
  const result = await told(() => (opens ? visit.begin(credentials) : post(state.action, state.prompt, { ...byVisit, ...credentials })));
  if (result.status === 200) refreshPeople();
  if (result.body.error === "visit-over") visit.end();
  // An inspection that was signed is shown, and can be printed; its screen may have come before the answer.
  if (result.status === 200 && local.visit && state.action.do === "inspection-answer") {
    openPage("record", {});
    return draw();
  }
  if (local.page?.name !== "sign") return draw();
  const next = answered(state, result);
  if (next.refused) local.refused = next.refused;
  // Whoever comes for the inspection finds it.
  if (opens && local.visit && state.then?.name === "floor") closePage();
  else if (opens && local.visit) openPage(state.then.name, state.then.args);
  else follow(local.page, next);
  draw();
}

const refreshPeople = () => fetchPeople().then((people) => {
  local.people = people;
});

// These say themselves what they are about and do not answer the order: they are as right after it has changed.
const ANY_TIME = new Set(["sign-in", "sign-out", "acknowledge", "acknowledge-all", "clear", "call-floor", "confirm-clock", "begin-inspection", "pause-inspection", "enter-service", "leave-service", "test-device", "replace-reader", "pair-device", "correct-meter", "settled-by-hand", "accept-journal", "open-work-order", "close-work-order"]);

async function told(request) {
  sending += 1;
  draw();
  try {
    return await request();
  } finally {
    sending -= 1;
    draw();
  }
}

async function send(act, number) {
  if (sending > 0) return drop("the last tap is still being saved");
  if (act.sameBoxes) gate = boxesRepeated(gate, performance.now());
  const byVisit = local.visit ? { visit: local.visit.token } : {};
  const insured = local.insured;
  const result = await told(() => post(act.send, ANY_TIME.has(act.send.do) ? null : number, byVisit));
  if (result.status === 200) {
    local.insured = insuredNow(noteInsured(insured, act.send, number, result.body.accepted.sequence), screen);
    if (act.pageStep) stepPage(act.pageStep);
    else if (!isOfVisit(local.page?.name)) closePage();
    local.look = null;
  } else if (result.body.error === "needs-person" || result.body.error === "needs-signature") {
    askToSign(act.send, number, result.body.error === "needs-person" ? result.body.reason : null);
  } else if (result.body.error === "visit-over") {
    visit.end();
  } else {
    local.refused = result.body;
  }
  draw();
}

// Boxes go in and out of play as fast as a finger; each request goes after the one before it.
let toggles = Promise.resolve();
function toggle({ seat, to }) {
  local.pending = { ...local.pending, [seat]: to };
  toggles = toggles.then(async () => {
    const result = await post({ do: "play", words: to === "in" ? `wager ${seat} main` : `unwager ${seat} main` }, null);
    if (result.status !== 200) local.refused = result.body;
    if (local.pending[seat] === to) {
      const { [seat]: done, ...rest } = local.pending;
      local.pending = rest;
    }
    draw();
  });
  draw();
}

let dropTimer = null;
function drop(why) {
  local.dropped = why;
  clearTimeout(dropTimer);
  dropTimer = setTimeout(() => {
    local.dropped = null;
    draw();
  }, DROPPED_MS);
  draw();
}

// ---- the visit of this page

const visit = visiting(local, (why) => {
  local.page = null;
  local.own = null;
  local.refused = why;
  draw();
});

// ---- fingers and keys

function perform(target, number, by) {
  const now = performance.now();
  if (by === "finger") visit.touch();
  if (!takes(gate, { kind: target.kind, number: target.kind === "slot" ? number : null, by, locks: target.locks }, now)) {
    return drop(number === gate.number ? "the order has just changed" : "it was for an older order");
  }
  // Keys and pedal never sign.
  if (by !== "finger" && (target.act?.sign || (target.act?.send?.do === "play" && needsSignature(screen, target.act.send.words)))) return drop("a signature is tapped");
  dispatch(target.act, number);
}

watch({ shown: () => painted.number, perform, drop, quiet: () => local.page?.name === "sign" });

// ---- being current

function judge() {
  const gone = performance.now() - heard > GONE_AFTER_MS;
  if (gone === local.gone) return;
  local.gone = gone;
  draw();
}

// A page that completes an order goes with it; those of a visit stay, and so does a PIN for something else.
function stays(page) {
  return page.name === "amounts" || isOfVisit(page.name) || (page.name === "jackpot" && local.visit && screen.verifying) || (page.name === "sign" && page.state.prompt === null);
}

listen({
  screen(frame) {
    const now = performance.now();
    heard = now;
    const moved = screen && frame.prompt_number !== screen.prompt_number;
    const { stage, mode } = screen ?? {};
    screen = frame;
    // An inspection that has begun takes the place of the tiles; when it is over they come back.
    if (local.visit && frame.mode !== mode && (!local.page || local.page.name === "floor" || (local.page.name === "record" && frame.mode === "inspection"))) closePage();
    if (moved) {
      local.refused = null;
      local.why = false;
      local.own = null;
      if (local.page && !stays(local.page)) closePage();
      if (frame.stage !== stage) local.look = null;
    }
    // A page that the table calls for has to be told things too.
    const due = pageOf(frame, local);
    if (due && due.name !== local.due) readFor(due, true);
    local.due = due?.name ?? null;
    local.insured = insuredNow(local.insured, frame);
    local.sensors = frame.seats.some((seat) => seat.lamps.some((lamp) => lamp.wager === "main"));
    gate = shown(gate, frame.prompt_number, now);
    local.gone = false;
    draw();
  },
  saving(now) {
    heard = performance.now();
    local.saving = now;
    local.gone = false;
    draw();
  },
  visit(now) {
    visit.told(now);
  },
  alive() {
    heard = performance.now();
    judge();
  },
  closed() {
    if (!screen) document.getElementById("text").textContent = "This page has no key. Open it through the kiosk's link.";
  },
});
setInterval(judge, 500);
// The minute on the wall where the screen stands, for how long the gaming day still lasts.
function tellMinute() {
  const now = new Date();
  const minute = now.getHours() * 60 + now.getMinutes();
  if (minute === local.minute) return;
  local.minute = minute;
  draw();
}
setInterval(tellMinute, 1000);
addEventListener("resize", resize);
tellMinute();
resize();
refreshPeople();
fetchSettings().then((sent) => {
  local.settings = settings(sent);
  resize();
});
