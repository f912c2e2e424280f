// The sheet that completes an offer: seat, wager, amount, card or value, one after the other, skipping what is settled.
// What comes out is a line of the play script.

import { SUITS, button, card, el, money, scriptAmount, title } from "./dom.js";
import { label } from "./offers.js";

const sheet = () => document.getElementById("sheet");

export function close() {
  sheet().hidden = true;
  sheet().replaceChildren();
}

export const isOpen = () => !sheet().hidden;

export function show(heading, ...content) {
  sheet().hidden = false;
  sheet().replaceChildren(
    el("header", {}, el("h2", {}, heading), button("Close", close, { class: "quiet", id: "close" })), ...content);
}

export function tiles(heading, entries) {
  show(heading, el("div", { class: "tiles" }, ...entries.map(([text, note, click, options]) => button(text, click, options ?? {}, note))));
}

// Asks for what is open and calls `say` with the words.
export function complete(offer, screen, say) {
  const words = [offer.word];
  const heading = offer.text ?? label(offer)[0];
  const steps = stepsOf(offer);
  const next = () => {
    const step = steps.shift();
    if (!step) {
      close();
      say(words.join(" "));
      return;
    }
    step(heading, words, next, screen);
  };
  next();
}

// Whether a tap is enough.
export const isPlain = (offer) => stepsOf(offer).length === 0;

function stepsOf(offer) {
  switch (offer.word) {
    case "irregularity":
      return [values(offer.values), irregularityDetails];
    case "draw":
      return [values(offer.values), ...seatSteps(offer), ...cardSteps(offer)];
    case "player":
      return [severalSeats(offer.seats)];
    case "place":
      return [number("cards from the bottom", Number(offer.values[0]), Number(offer.values.at(-1)))];
    case "cut":
      return [cut(offer.values)];
    case "inspect":
      return [inspect(offer.values)];
    case "decks":
      return [values(offer.values), values(["", "preinspected"])];
    case "dealer-change":
      return [text("The dealer's name or number")];
    case "correct":
      return [quoted("Why is it taken back?")];
    default:
      return [...seatSteps(offer), ...wagerSteps(offer), ...amountSteps(offer), ...cardSteps(offer),
        ...(offer.sides?.length ? [values(offer.sides)] : []), ...(offer.values ? [values(offer.values)] : [])];
  }
}

const seatSteps = (offer) => (offer.seats ? [seat(offer.seats)] : []);
const wagerSteps = (offer) => (offer.wager ? [(heading, words, next) => (words.push(offer.wager), next())] : []);
const cardSteps = (offer) => (offer.cards ? [cardPad(offer.cards)] : []);
const amountSteps = (offer) => {
  if (offer.one_of_cents) return [oneOf(offer.one_of_cents, offer.amount_optional)];
  if (offer.min_cents !== undefined) return [amount(offer)];
  return [];
};

const seat = (seats) => (heading, words, next) => {
  const pick = (number) => (words.push(String(number)), next());
  if (seats.length === 1) pick(seats[0]);
  else tiles(`${heading}: which seat?`, seats.map((number) => [String(number), "seat", () => pick(number), { class: "seat-tile" }]));
};

const severalSeats = (seats) => (heading, words, next) => {
  const chosen = new Set();
  const redraw = () => tiles(`${heading}: which seats?`, [
    ...seats.map((number) => [String(number), chosen.has(number) ? "✓" : "seat", () => {
      if (!chosen.delete(number)) chosen.add(number);
      redraw();
    }]),
    ["Done", `${chosen.size} boxes`, () => {
      if (chosen.size < 2) return;
      words.push(...[...chosen].sort((a, b) => a - b).map(String));
      next();
    }, { class: "act" }],
  ]);
  redraw();
};

const values = (list) => (heading, words, next) => {
  const pick = (value) => (value && words.push(value), next());
  if (list.length === 1) pick(list[0]);
  else tiles(heading, list.map((value) => [value === "" ? "Not preinspected" : /^\d/.test(value) ? value : title(value), null, () => pick(value)]));
};

const inspect = (list) => (heading, words, next, screen) => {
  const pick = (value) => {
    if (value.startsWith("tens ")) {
      words.push("tens");
      number("tens taken out", 0, 200)(heading, words, next, screen);
    } else {
      words.push(value);
      next();
    }
  };
  if (list.length === 1) pick(list[0]);
  else tiles(heading, list.map((value) => [title(value.split(" ")[0]), value.split(" ")[1] ?? null, () => pick(value)]));
};

const cut = (list) => (heading, words, next, screen) => {
  tiles(`${heading}: who?`, list.map((value) => {
    const [by, depth] = value.split(" ");
    return [by === "dealer" ? "Dealer" : `Seat ${by}`, null, () => {
      words.push(by);
      number("cards from the top", 1, Number(depth) * 2, Number(depth))(heading, words, next, screen);
    }];
  }));
};

const oneOf = (list, optional) => (heading, words, next) => {
  const entries = list.map((cents) => [money(cents), null, () => (words.push(scriptAmount(cents)), next()), { class: "amount-tile" }]);
  if (optional) entries.push(["Not known", "a chip lies there", next]);
  if (list.length === 1 && !optional) entries[0][2]();
  else tiles(`${heading}: how much?`, entries);
};

// A pad for dollars and cents within the offer's range.
const amount = (offer) => (heading, words, next) => {
  let typed = "";
  const cents = () => {
    const match = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(typed);
    return match ? Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0")) : null;
  };
  const fits = (value) => value !== null && value >= offer.min_cents && value <= offer.max_cents
    && value % (offer.step_cents || 1) === 0;
  const push = (key) => {
    if (key === "⌫") typed = typed.slice(0, -1);
    else if ((typed + key).length <= 10) typed += key;
    redraw();
  };
  const done = (value) => (words.push(scriptAmount(value)), next());
  const chips = [500, 1000, 1500, 2500, 5000, 10000, 50000].filter(fits).slice(0, 4);
  const redraw = () => show(`${heading}: how much?`,
    el("div", { class: "entry" },
      el("div", { class: "pad" }, ...["1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "0", "⌫"].map((key) => button(key, () => push(key)))),
      el("div", { class: "beside" },
        el("output", {}, typed ? `$${typed}` : `${money(offer.min_cents)} to ${money(offer.max_cents)}`),
        el("div", { class: "tiles" }, ...chips.map((value) => button(money(value), () => done(value)))),
        offer.amount_optional ? button("Not known", next, {}, "chips lie there") : null,
        button("Enter", () => fits(cents()) && done(cents()), { class: "act", disabled: !fits(cents()), id: "enter" }))));
  redraw();
};

const number = (what, least, most, start = null) => (heading, words, next) => {
  let typed = start === null ? "" : String(start);
  let fresh = start !== null;
  const fits = () => /^\d+$/.test(typed) && Number(typed) >= least && Number(typed) <= most;
  const push = (key) => {
    if (fresh) typed = "";
    fresh = false;
    if (key === "⌫") typed = typed.slice(0, -1);
    else if (typed.length < 4) typed += key;
    redraw();
  };
  const redraw = () => show(`${heading}: ${what}`,
    el("div", { class: "entry" },
      el("div", { class: "pad" }, ...["1", "2", "3", "4", "5", "6", "7", "8", "9", "", "0", "⌫"].map((key) => key === "" ? el("span") : button(key, () => push(key)))),
      el("div", { class: "beside" }, el("output", {}, typed || `${least} to ${most}`),
        button("Enter", () => fits() && (words.push(String(Number(typed))), next()), { class: "act", disabled: !fits(), id: "enter" }))));
  redraw();
};

const cardPad = (ranks) => (heading, words, next) => {
  let rank = null;
  const redraw = () => show(`${heading}: which card?`,
    el("div", { class: "ranks" }, ...[...ranks].map((each) =>
      button(each === "T" ? "10" : each, () => { rank = each; redraw(); }, { class: each === rank ? "chosen" : "" }))),
    el("div", { class: "suits" }, ...Object.entries(SUITS).map(([letter, [sign, colour]]) =>
      button(sign, () => rank && (words.push(rank + letter), next()), { class: `suit ${colour}`, disabled: !rank, "data-suit": letter }))));
  redraw();
};

// What a clause asks for besides: perhaps a seat, a card, or that a device is covered or has its sign.
const irregularityDetails = (heading, words, next, screen) => {
  let where = null;
  let which = null;
  let attested = null;
  const redraw = () => show(`${words[1]}: what else belongs to it?`,
    el("div", { class: "tiles small" }, ...screen.seats.map((each) =>
      button(`Seat ${each.seat}`, () => { where = where === each.seat ? null : each.seat; redraw(); }, { class: where === each.seat ? "chosen" : "" }))),
    el("div", { class: "tiles small" },
      which ? card(which) : null,
      button(which ? "Another card" : "Name the card", () => {
        const chosen = [];
        cardPad("A23456789TJQK")(words[1], chosen, () => { which = chosen[0]; redraw(); }, screen);
      }),
      ...["covered", "sign"].map((word) =>
        button(word === "sign" ? "Has its sign" : "Is covered", () => { attested = attested === word ? null : word; redraw(); }, { class: attested === word ? "chosen" : "" }))),
    button("That is it", () => {
      words.push(...[where, which, attested].filter((each) => each !== null).map(String));
      next();
    }, { class: "act", id: "enter" }));
  redraw();
};

const line = (what, wrap) => (heading, words, next) => {
  const input = el("input", { type: "text", maxlength: 60, autocomplete: "off" });
  show(`${heading}: ${what}`, el("div", { class: "beside" }, input,
    button("Enter", () => {
      const typed = input.value.replaceAll('"', "'").trim();
      if (typed) { words.push(wrap(typed)); next(); }
    }, { class: "act", id: "enter" })));
  input.focus();
};

const text = (what) => line(what, (typed) => typed);
const quoted = (what) => line(what, (typed) => `"${typed}"`);

// Free fields for actions that are no play words: calls `done` with an object.
export function form(heading, fields, done) {
  const inputs = fields.map((field) => {
    const input = field.choices
      ? el("select", {}, ...field.choices.map((choice) => el("option", { value: choice }, choice)))
      : el("input", { type: "text", maxlength: 120, autocomplete: "off", placeholder: field.hint ?? "" });
    return [field, input];
  });
  show(heading, el("div", { class: "form" },
    ...inputs.map(([field, input]) => el("label", {}, el("span", {}, field.label), input)),
    button("Enter", () => {
      const filled = {};
      for (const [field, input] of inputs) {
        const value = field.read ? field.read(input.value.trim()) : input.value.trim();
        if (value === null || value === "") { input.classList.add("wrong"); return; }
        filled[field.name] = value;
      }
      close();
      done(filled);
    }, { class: "act", id: "enter" })));
  inputs[0][1].focus();
}
