// Screens as the table sends them, made for tests and pictures: a round at each of its moments, and the worst of everything.

const offer = (word, more = {}) => ({ word, ...more });
const plain = (...words) => words.map((word) => offer(word));
const hand = (cards, total, more = {}) => ({ cards: cards.split(" ").filter(Boolean), total, soft: false, stake_cents: 2500, doubles: 0, state: "open", turn: false, ...more });
const seat = (number, more = {}) => ({ seat: number, lamps: [], in_play: false, main_cents: null, insured: false, insurance_cents: null, side: [], hands: [], ...more });
const box = (number, cents, hands, more = {}) => seat(number, { in_play: true, main_cents: cents, hands, ...more });
const lamp = (state) => [{ spot: 1, wager: "bonus-spin", state }];
export const device = (part, more = {}) => ({ part, present: true, up: true, state: "ready", faults: [], model: "M", serial: "1", ...more });

export const base = {
  version: 1, table: "T09", game: "pontoon-21", mode: "dealing", sequence: 1, prompt_number: 1, round: 648, stage: "wagering", locked: false, cover_seen: false, tracking: "cards",
  prompt: { situation: "Bets are open.", text: "Take bets, then lock.", clause: "pontoon-21 6.D", offers: [], shoe_knows: true, paraphrase: "Every wager is down before the first card." },
  work_orders: [], seats: [1, 2, 3, 4, 5, 6, 7].map((number) => seat(number)), dealer: { cards: [], hole: "none", total: null, soft: false }, lines: [],
  meters: [{ wager: "bonus-spin", meter: "main", amount_cents: 1_241_855, reserve_cents: 0, overflow_cents: 0, hits: 0, wins_cents: 0, balanced: true }],
  alerts: [], devices: [device("reader"), device("shoe"), device("shuffler")], stops: [],
  day: { day: 20_833, inspected: true, rounds: 647, voids: 0, jackpots: 0, jackpot_cents: 0, late_wagers: 0, irregularities: 0, corrections: 0, paid_cents: 0, collected_cents: 0 },
  signed_in: 1007, last_boxes: [], shoe_left: 102,
};

const make = (more) => ({ ...base, ...more, prompt: { ...base.prompt, ...(more.prompt ?? {}) } });
const wager = (seats) => offer("wager", { seats, wager: "main", min_cents: 1000, max_cents: 50_000, step_cents: 50, amount_optional: true });
const all8 = [1, 2, 3, 4, 5, 6, 7, 8];
const last = [1, 2, 4, 5, 7].map((number) => ({ seat: number, main_cents: number === 4 ? 10_000 : null }));
const bonus = (number, state) => ({ lamps: lamp(state) });

const eight = (inPlay) => all8.map((number) => {
  const lamps = [1, 4, 5, 7].includes(number) ? lamp("placed") : number === 2 ? lamp("invited") : [];
  return inPlay && [1, 2, 4, 5, 7].includes(number) ? box(number, number === 4 ? 12_500 : null, [], { lamps }) : seat(number, { lamps });
});

export const wageringEmpty = make({ seats: eight(false), last_boxes: last, table: "T14", round: 215, shoe_left: 231, prompt: { offers: [wager(all8), ...plain("undo", "dealer-change")] } });
export const wageringBoxes = make({
  seats: eight(true), last_boxes: last, table: "T14", round: 215, shoe_left: 231,
  prompt: { offers: [wager(all8), offer("wager", { seats: all8, wager: "match-super-bonus", one_of_cents: [500], amount_optional: true }), offer("wager", { seats: all8, wager: "bonus-spin", one_of_cents: [500], amount_optional: true }),
    offer("unwager", { seats: [1, 2, 4, 5, 7], wager: "main" }), ...plain("lock", "undo")] },
});

const seven = [
  box(1, 2500, [hand("2s 3h 4d 2c Ah 7s", 19, { state: "done" })]), box(2, 6500, [hand("6d 5c Qh", 21, { state: "done", doubles: 1, stake_cents: 13_000 })]),
  box(3, 2500, [hand("Kc 6s 8h", 24, { state: "bust" })]),
  box(4, 2500, [hand("8c Ks", 18, { state: "done" }), hand("8d 3h 9s", 20, { state: "done", doubles: 1 }), hand("8h 3s", 11, { turn: true }), hand("8s", 8)]),
  box(5, null, [hand("Ah Ks", 21, { soft: true, state: "blackjack", stake_cents: null })]), box(6, 10_000, [hand("As 6c", 17, { soft: true, stake_cents: 10_000 })]), box(7, 1000, [hand("7s 7d", 14, { stake_cents: 1000 })]),
];
const nine = { cards: ["9c"], hole: "sealed", total: null, soft: false };

const taken = { position: 3, hand: 1, wager: "main", outcome: "lost", line: "bust", odds: null, basis: null, stake_cents: 2500, returned_cents: 0, pays_cents: 0, clause: "pontoon-21 H1", confirmed: true };

export const decisions = make({
  seats: seven, dealer: nine, stage: "decisions", locked: true, lines: [taken],
  prompt: { situation: "Player decides.", text: "Seat 4, hand 3: 11", clause: "pontoon-21 11.C", paraphrase: "A split hand is played like a fresh one.",
    closed: [{ word: "split", reason: "four hands is this table's limit", clause: "pontoon-21 11.D" }, { word: "surrender", reason: "only before any other choice", clause: "pontoon-21 9.B" }],
    offers: [...plain("hit", "stand", "double", "undo", "irregularity"), offer("card", { face: "up", cards: "A23456789JQK" }), offer("seat", { seats: [5, 6, 7] })] },
});

export const insurance = make({
  stage: "insurance", locked: true, dealer: { cards: ["Ad"], hole: "sealed", total: null, soft: false }, round: 215, table: "T14", shoe_left: 214,
  seats: [box(1, 2500, [hand("9h 7s", 16)], bonus(1, "accepted")), box(2, 5000, [hand("Ks Js", 20)], { insured: true, insurance_cents: 2500 }), box(3, 1500, [hand("6d 5c", 11)]), box(4, 10_000, [hand("As 7d", 18, { soft: true })], bonus(4, "accepted")),
    box(5, 5000, [hand("Qh Ad", 21, { state: "blackjack" })], { insured: true, insurance_cents: 2500, ...bonus(5, "accepted") }), box(6, null, [hand("4s 4h", 8)]), box(7, 2500, [hand("Jc 3d", 13)], bonus(7, "accepted")), seat(8)],
  prompt: { situation: "Ace up: tap who insures.", text: "Then hole card into reader.", clause: "pontoon-21 8.D", waits_for: "reader",
    offers: [1, 3, 4, 6, 7].map((number) => offer("insure", { seats: [number], min_cents: 50, max_cents: 1250, step_cents: 50, amount_optional: true })).concat([offer("peek", { values: ["yes", "no", "unread"] }), ...plain("undo")]) },
});

export const bust = make({
  ...decisions, seats: seven.map((each) => (each.seat === 4 ? box(4, 2500, [hand("8c 8d", 16, { turn: true })]) : each)), stage: "decisions", lines: [{ ...taken, confirmed: false }],
  prompt: { situation: "Seat 3 has 24: bust.", text: "Take $25 and the cards.", clause: "pontoon-21 H1", offers: [...plain("collected", "settled", "hit", "stand", "split", "undo"), offer("card", { face: "up", cards: "A23456789JQK" })] },
});

const line = (position, number, outcome, cents, more = {}) => ({ position, hand: number, wager: "main", outcome, line: outcome, odds: outcome === "won" ? "1 to 1" : null, basis: "to", stake_cents: cents, returned_cents: outcome === "lost" ? 0 : cents,
  pays_cents: outcome === "won" ? cents : 0, clause: "pontoon-21 7.R(1)", confirmed: false, ...more });
const stands = { cards: ["9c", "Kd"], hole: "revealed", total: 19, soft: false };
const done = seven.map((each) => (each.seat === 4 ? box(4, 2500, [hand("8c 8h", 16, { state: "done" }), hand("8d 3h 9s", 20, { state: "done" }), hand("8h 3s 9d", 20, { state: "done" }), hand("8s 9h", 17, { state: "done" })])
  : each.seat === 7 ? box(7, 1500, [hand("7s 7d 7c", 21, { state: "done", stake_cents: 1500 })]) : each));
const settlement = [taken, line(6, 1, "lost", 10_000, { confirmed: true }), line(4, 4, "lost", 2500), line(4, 1, "lost", 2500), line(7, 1, "won", 1500), line(5, 1, "won", null, { odds: "3 to 2", pays_cents: null, returned_cents: null }),
  line(4, 3, "won", 2500), line(4, 2, "won", 5000), line(2, 1, "won", 13_000), line(1, 1, "tied", 2500)];

export const settleTake = make({ seats: done, dealer: stands, stage: "settlement", locked: true, lines: settlement, prompt: { situation: "Seat 4, hand 4: 17 against 19.", text: "Take $25.00.", clause: "pontoon-21 7.R(1)", offers: plain("collected", "settled", "undo") } });
export const settlePay = make({ ...settleTake, lines: settlement.map((each, at) => ({ ...each, confirmed: at < 8 })), prompt: { situation: "Seat 2: 21 against 19, doubled.", text: "Pay $130.00.", clause: "pontoon-21 12.A(1)", paraphrase: "The stake stays with the player; only what is paid leaves the rack.", offers: plain("paid", "settled", "undo") } });

const million = 100_000_000;
const four = (...hands) => hands.map(([cards, total, more]) => hand(cards, total, { stake_cents: million, state: "done", ...more }));
const stressSeats = [
  box(1, million, four(["2s 3h 4d", 20, { soft: true, doubles: 1 }], ["Kc Ah As", 12], ["As Kd", 21], ["As", 11, { state: "open", soft: true }]), { lamps: lamp("late") }),
  box(2, million, four(["As Ac Ah Ad 2s 2h 2d 3h 3s 4c", 20]), { lamps: lamp("accepted") }),
  box(3, 99_999_950, four(["8s Kc", 18], ["8d 3s 9s", 20, { doubles: 1 }], ["8d 3c 8d", 19], ["8s Ks", 18]), { lamps: lamp("accepted") }),
  box(4, million, four(["9s 3c Kd", 22, { state: "bust" }], ["9d 3h 8s", 20, { doubles: 1 }], ["9d Qs", 19], ["9s 9c", 18]), { lamps: lamp("accepted") }),
  box(5, 1_250_000, four(["Ks 6d 5c", 21, { doubles: 1, stake_cents: 2_500_000 }]), { lamps: lamp("accepted") }),
  box(6, million, four(["7s Kd", 17], ["7d 3s 7s", 17, { doubles: 1 }], ["7d 7s 7c", 21], ["7s Jc", 17]), { lamps: lamp("accepted") }),
  box(7, null, [hand("As 2d 3s 2c 2h 3d 4s", 17, { soft: true, state: "surrendered", stake_cents: null })], { lamps: lamp("accepted") }),
  box(8, million, [hand("Ks Qd 2h", 22, { state: "bust", stake_cents: million }), hand("Qs Kd", 20, { state: "done", stake_cents: million }), hand("As 2s 2d 2h 3h Ad Ah Ac 3s 4h", 20, { soft: true, turn: true, stake_cents: million }), hand("Jc", 10, { stake_cents: million })]),
];
export const stress = make({
  seats: stressSeats, dealer: { cards: ["Kh"], hole: "sealed", total: null, soft: false }, stage: "decisions", locked: true, round: 1288, table: "T14",
  alerts: [{ alert: 1, severity: "attend", source: "2.B(7)(b)", text: "late chip seat 1: not counted", raised_sequence: 1, acknowledged_by: null, ended: false }],
  prompt: { situation: "Player decides.", text: "Seat 8, hand 3: soft 20", clause: "pontoon-21 7.H(1)(b)(iii)", paraphrase: "Longest texts on purpose: four hands, ten cards, the highest amount.",
    offers: [...plain("hit", "stand", "double", "split", "surrender", "undo"), offer("card", { face: "up", cards: "A23456789JQK" })] },
});
const stressLines = stressSeats.flatMap((each) => each.hands.map((hands, at) => line(each.seat, at + 1, ["won", "lost", "tied"][(each.seat + at) % 3], hands.stake_cents, each.seat === 7 ? { outcome: "surrendered", returned_cents: null } : {})));
export const stressSettlement = make({ ...stress, alerts: [], stage: "settlement", seats: stressSeats.map((each) => ({ ...each, hands: each.hands.map((one) => ({ ...one, turn: false, state: one.state === "open" ? "done" : one.state })) })),
  dealer: { cards: ["2s", "2c", "2d", "3h", "As", "Ad", "Ah", "3s", "4c"], hole: "revealed", total: 19, soft: false }, lines: stressLines.map((each, at) => ({ ...each, confirmed: at < 3 })), prompt: { situation: "Seat 1, hand 4: 11 against 19.", text: "Take $1,000,000.00.", clause: "pontoon-21 12.A(1)", offers: plain("paid", "settled", "undo") } });

export const tapIn = make({ game: "spanish-21", table: "T10", round: 12, stage: "dealing", locked: true, devices: [device("reader")], seats: [box(1, 2500, [hand("Ks", 10)]), box(2, 2500, [hand("9d", 9)]), seat(3), box(4, 2500, [hand("", null, { turn: true })]), box(5, 2500, []), box(6, 2500, []), box(7, 2500, [])],
  prompt: { situation: "First card to seat 4.", text: "Deal to seat 4", clause: "spanish-21 7.E(1)", shoe_knows: false, offers: [offer("card", { face: "either", cards: "A23456789JQK" }), ...plain("undo", "irregularity")] } });

// Two sides of the shoe, and a table without a reader whose answer is told.
export const doubleShoe = make({ ...tapIn, game: "blackjack", prompt: { situation: "First card to seat 4.", text: "Deal to seat 4", clause: "blackjack 7.C(1)", shoe_knows: false, offers: [offer("card", { face: "either", cards: "A23456789TJQK", sides: ["left", "right"] }), ...plain("undo", "irregularity")] } });
export const peekTold = make({ ...decisions, game: "blackjack", stage: "reader", devices: [], dealer: { cards: ["Kd"], hole: "sealed", total: null, soft: false }, prompt: { situation: "Ten or face up.", text: "Hole card into reader.", clause: "blackjack 7.G", offers: [offer("peek", { values: ["yes", "no", "unread"] }), ...plain("undo")] } });

// What the players' display is told.
const meterLine = (words, figure, percent, amount) => ({ words, figure, percent, amount_cents: amount });
export const players = { game: "players-edge-21", title: "Player's Edge 21", limits: "Bets $10 to $500", statements: ["Blackjack pays 3 to 2", "Insurance pays 2 to 1", "Minimum wager $10", "Maximum wager $500", "Payout limit per hand $50,000", "Dealer hits soft 17"],
  meters: [{ wager: "monster-match", meter: "main", amount_cents: 1_426_240, restart_cents: 500_084, must_hit_cents: null, lines: [meterLine("Four of a kind, suited", "100 % of the meter", 100, 1_426_240), meterLine("Four of a kind, one color", "10 % of the meter", 10, 142_624), meterLine("Four of a kind", "$200", null, 20_000)] }],
  pending: [], last: [{ wager: "monster-match", amount_cents: 918_420, at_ms: 1_778_715_660_000 }] };
export const playersPending = { ...players, pending: [{ wager: "monster-match", meter: "main", amount_cents: 1_426_240, seat: null }] };
export const playersMost = { ...players, limits: "Bets $1,000 to $1,000,000", meters: [["mega", 100_000_000], ["major", 99_999_999], ["minor", 10_000_000]].map(([meter, cents]) => ({ ...players.meters[0], wager: "buster-blackjack-free-bonus", meter, amount_cents: cents, must_hit_cents: meter === "minor" ? 100_000_000 : null })), last: [{ wager: "buster-blackjack-free-bonus", amount_cents: 100_000_000, at_ms: 1_778_715_660_000 }] };
export const playersPosting = { ...players, meters: [], last: [] };

const stepsOnly = { game: "spanish-21", table: "T11", round: 41, tracking: "procedure", locked: true, shoe_left: null, seats: [1, 2, 3, 4, 5, 6, 7].map((number) => (number === 3 || number === 6 ? seat(number) : box(number, null, []))) };
export const procedureUp = make({ ...stepsOnly, stage: "dealing", prompt: { text: "Deal two cards to each box and the dealer, then tell the up card", clause: "spanish-21 7.G", offers: [offer("up", { values: ["ace", "ten", "low"], cards: "A23456789JQK" }), ...plain("undo")] } });
export const procedurePlayers = make({ ...stepsOnly, stage: "decisions", seats: stepsOnly.seats.map((each) => (each.seat === 5 ? box(5, null, [hand("", null, { state: "blackjack" })]) : each.seat === 2 ? box(2, null, [hand("", null, { state: "surrendered" })]) : each)),
  prompt: { text: "Serve the players' decisions", clause: "spanish-21 7.H", offers: [offer("next"), offer("blackjack", { seats: [1, 4, 7] }), offer("surrender", { seats: [1, 4, 7] }), offer("claim", { seats: [1], wager: "match-the-dealer", values: ["a"] }), ...plain("undo")] } });

export const stopped = make({ ...decisions, mode: "faulted", stage: "reader-stopped", devices: [device("reader", { up: false, state: "silent", faults: ["no answer for 12 s"] }), device("shoe"), device("shuffler")],
  alerts: [{ alert: 2, severity: "stop", source: "DV-021", text: "reader: no answer", raised_sequence: 1, acknowledged_by: null, ended: false }], prompt: { text: "The reader is out of service", clause: "pontoon-21 13.Q", offers: plain("reader-repaired", "floor void") } });

const what = (clause, group, title, note, more = {}) => ({ clause, group, title, note, seats: null, attest: false, ...more });
export const problem = make({ ...decisions, prompt: { ...decisions.prompt, offers: [...decisions.prompt.offers.filter((each) => each.word !== "irregularity"), ...plain("correct"), offer("late", { seats: [1], wager: "main" }),
  offer("irregularity", { irregularities: [what("13.F", "card", "Drawn by mistake,", "and somebody saw it", { cards: "A23456789JQK" }), what("13.E", "card", "Drawn by mistake,", "nobody saw it"), what("13.A", "card", "Lay face up", "in the shoe"),
    what("13.B", "card", "More than one", "face up in the shoe"), what("13.C", "card", "A 10 came out", "of the shoe"), what("13.O", "card", "A card asked for", "did not come", { seats: [1, 2] }), what("13.K", "shoe", "Ran out of cards", "before the end"), what("13.P", "reader", "Used under", "a wrong up card"),
    what("13.Q", "reader", "No answer,", "or a wrong one"), what("13.J", "dealer", "Own card forgotten", "by the dealer")] })] } });

export const signedOut = make({ signed_in: null, mode: "closed", stage: "closed", prompt: { text: "The table is closed", clause: "pontoon-21 4.A", offers: plain("open") } });
export const reveal = make({ seats: seven.map((each) => ({ ...each, hands: each.hands.map((one) => ({ ...one, turn: false, state: one.state === "open" ? "done" : one.state })) })), dealer: nine, stage: "reveal", locked: true, prompt: { situation: "Players are done.", text: "Turn the hole card.", clause: "pontoon-21 7.N", offers: [offer("reveal", { cards: "A23456789JQK" }), ...plain("undo")] } });
export const dealing = make({ seats: wageringBoxes.seats.map((each) => (each.in_play ? box(each.seat, 2500, each.seat < 5 ? [hand("9s", 9)] : [hand("", null)]) : each)), stage: "dealing", locked: true, prompt: { situation: "First cards.", text: "Deal to seat 5, face up", clause: "pontoon-21 7.E(1)", offers: [offer("card", { face: "up", cards: "A23456789JQK" }), ...plain("undo", "cover")] } });

// A progressive win on its way to be paid, and the worst of it.
const won = { position: 5, hand: 1, wager: "monster-match", outcome: "won", line: "four of a kind, one suit", odds: "100 % of the main meter", basis: "meter", stake_cents: 200, returned_cents: 200, pays_cents: 1_426_240, clause: "players-edge-21 12.D(2)(a)", approval: "floor and a second person", confirmed: false };
const atJackpot = (step, more = {}) => ({ step, seat: 5, wager: "monster-match", first_cards: ["Qd", "Qd"], locked_ms: 1_778_715_660_000, hand_seen_ms: step === "hand" ? null : 1_778_715_680_000, lamp_seen_ms: ["hand", "lamp"].includes(step) ? null : 1_778_715_684_000, approved_by: step === "second" ? 2041 : null, approved_ms: step === "second" ? 1_778_715_730_000 : null, ...more });
const jackpotAt = (step, text, words) => make({
  game: "players-edge-21", table: "T22", round: 1187, stage: "settlement", locked: true, lines: [won, { ...won, wager: "main", line: "won", odds: "1 to 1", pays_cents: 2500, approval: undefined }], verifying: atJackpot(step),
  seats: [1, 2, 3, 4, 6, 7].map((number) => seat(number)).concat(box(5, 2500, [hand("Qd Qd", 20, { state: "done" })], { lamps: [{ spot: 2, wager: "monster-match", state: "accepted" }] })).sort((one, other) => one.seat - other.seat),
  dealer: { cards: ["Qd", "Qd"], hole: "revealed", total: 20, soft: false }, meters: [{ ...base.meters[0], wager: "monster-match", amount_cents: 1_426_240 }],
  prompt: { situation: "Seat 5, Monster Match jackpot.", text, clause: "players-edge-21 7.O(1)", offers: [...words.map((word) => offer(word, word === "next" ? {} : { roles: ["floorperson", "manager"], signature: true })), offer("reject", { roles: ["floorperson", "manager"], signature: true, second: ["floorperson", "manager"] }), ...plain("undo")] } });
export const jackpotHand = jackpotAt("hand", "Check the hand.", ["next"]);
export const jackpotLamp = jackpotAt("lamp", "Check that the lamp is lit.", ["next"]);
export const jackpotFloor = jackpotAt("floor", "Floor: approve $14,262.40.", ["floor approve"]);
export const jackpotSecond = jackpotAt("second", "Second person: approve.", ["manager approve"]);
export const jackpotMost = make({ ...jackpotFloor, game: "blackjack", lines: [{ ...won, wager: "buster-blackjack-free-bonus", line: "four of a kind in one colour with the dealer's blackjack", pays_cents: 100_000_000 }],
  verifying: atJackpot("floor", { wager: "buster-blackjack-free-bonus", first_cards: ["Ts", "Td", "Th", "Tc"] }), dealer: { cards: ["Ts", "Td", "Th", "Tc"], hole: "revealed", total: 40, soft: false },
  meters: [{ ...base.meters[0], wager: "buster-blackjack-free-bonus", meter: "major", amount_cents: 100_000_000, balanced: false }], prompt: { ...jackpotFloor.prompt, text: "Floor: approve $1,000,000.00." } });
export const jackpotUnseen = make({ ...jackpotFloor, tracking: "procedure", dealer: { cards: [], hole: "revealed", total: null, soft: false }, verifying: atJackpot("floor", { first_cards: [] }) });

// A void round that is done but for its payments.
export const paymentsAsked = make({ seats: done, dealer: stands, stage: "settlement", locked: true, lines: [line(5, 1, "won", 2500, { confirmed: true, pays_cents: 3750 }), line(2, 1, "won", 13_000, { confirmed: true }), line(4, 1, "lost", 2500, { confirmed: true })],
  prompt: { situation: "Void. Some bets were paid.", text: "Floor: do payments stand?", clause: "pontoon-21 H12", offers: [...plain("next", "correct"), offer("payments", { values: ["stand", "back"], roles: ["floorperson", "manager"], signature: true })] } });

// The day begins.
export const opening = make({ mode: "closed", stage: "closed", round: 0, prompt: { situation: "Table is closed.", text: "Open the table.", clause: "pontoon-21 4.A", offers: [offer("open", { roles: ["floorperson", "manager"], signature: true })] } });

// What the table says would follow.
const outlookOf = (number, words) => `/api/v1/outlook/${encodeURIComponent(words)}#${number}`;
export const outlook = { said: [{ text: "8♥ was drawn in error and seen: it is the next card", clause: "pontoon-21 13.F" }], lines: [], situation: "8♥ counts as the next card.", text: "Offer 8♥ to seat 4, hand 3.",
  answers: [{ words: "accept 4", said: [{ text: "Seat 4, hand 3: 8♥, 19", clause: "pontoon-21 13.F" }], lines: [] }, { words: "refuse 4", said: [{ text: "Seat 4 gets no further card in this round", clause: "pontoon-21 13.G" }], lines: [] }] };
export const outlookVoid = { said: [{ text: "More than one card lay face up in the shoe", clause: "pontoon-21 13.B" }, { text: "Round is void: all hands dead, bets returned", clause: "pontoon-21 13.B" }, { text: "Paid before the void: seat 5, main bet, $1,000,000", clause: "pontoon-21 H12" }],
  lines: [1, 2, 4, 4, 4, 4, 6, 7].map((number) => ({ ...line(number, 1, "lost", 2500), outcome: "void", returned_cents: 2500 })), situation: "Void. Some bets were paid.", text: "Floor: do payments stand?" };
export const outlooks = (number) => ({ [outlookOf(number, "irregularity 13.F 8h")]: outlook, [outlookOf(number, "irregularity 13.B")]: outlookVoid });

// A visit: who may do what comes from the one table of permissions; here a floorperson's part of it.
const row = (act, signature, place, second) => ({ act, roles: ["floorperson", "manager"], signature, place, ...(second ? { second } : {}) });
export const floorVisit = { number: 1, person: 2041, role: "floorperson", seconds: 60, token: "t",
  may: [...["floor approve", "manager approve", "reject", "payments", "floor void", "correct", "open", "close", "floor reshuffle", "floor recut", "permit", "reader-repaired", "shuffler-repaired", "inspect floor", "dealer-change", "clear", "confirm-clock", "settled-by-hand", "sign-in"].map((act) => row(act, true, "floor")), ...["acknowledge", "acknowledge-all", "begin-inspection", "inspection-answer", "pause-inspection"].map((act) => row(act, false, "alerts"))] };
export const people = [{ person: 2041, role: "floorperson" }, { person: 1007, role: "dealer" }, { person: 3002, role: "manager" }, { person: 4003, role: "technician" }, { person: 1004, role: "dealer" }];

// The longest words of the fault book.
const fault = { code: "RD-105", part: "reader", name: "test failed", meaning: "the reader read 4 of the last 30 cards only at the second insertion, and a card that is inserted twice without an answer stops the table", cause: "dust on the lens",
  table: "the round on the table is finished; no next one is dealt until the reader is back", remedy: "clean the lens with the cloth from the kit at the next break; insert the four test cards; if one fails, replace the reader with two people and run the full inspection", place: "/dev/serial/by-id/reader", errno: null };
const alert = (number, more) => ({ alert: number, severity: "attend", source: "2.B(7)(b)", text: "late chip seat 1: not counted", raised_sequence: 1, since_ms: 1_778_715_660_000, acknowledged_by: null, ended: false, over_since_ms: null, ...more });
export const alerts = make({ ...decisions, alerts: [alert(1, {}), alert(2, { severity: "stop", source: "RD-105", text: "reader: cards not read", fault, since_ms: 1_778_714_460_000 }), alert(3, { source: "3.C", text: "cards are 20 hours old: change before 01:20" }), alert(4, { acknowledged_by: 2041, text: "clock was confirmed" })],
  devices: [device("reader", { up: true, state: "ready", faults: ["cards not read"], model: "HR-2", serial: "00417" }), device("shoe", { model: "RS-6", serial: "0209" }), device("shuffler", { model: "SH-1", serial: "7731" }), device("lock-out", { model: "", serial: "", state: "ready" }), device("lamps", { present: false })],
  meters: [...base.meters, { wager: "buster-blackjack-free-bonus", meter: "major", amount_cents: 100_000_000, reserve_cents: 21_280, overflow_cents: 0, hits: 41, wins_cents: 27_148_000, balanced: true }] });
export const closing = make({ ...wageringEmpty, meters: alerts.meters, prompt: { ...wageringEmpty.prompt, offers: [...wageringEmpty.prompt.offers, ...plain("close")] } });
const step = (name, state, note = "") => ({ name, state, note });
const STEPS = ["seals", "housing", "identity", "test cards", "lamps", "view", "lock-out", "positions", "shuffler", "counters", "signature"];
const NOTES = { seals: "reader housing A-1041, reader cable A-1042, controller door B-2207, shuffler port C-0093", "test cards": "62 insertions, none wrong", positions: "21 positions" };
const reason = (word, label, note, source = "RD-101") => ({ word, label, note, source });
const reasons = [reason("wrong-answer", "Wrong answer", "not as expected", "pontoon-21 13.Q"), reason("no-answer", "No answer", "twice in a row", "RD-012"), reason("lens-dirty", "Lens dirty", "cleaned, still bad"), reason("damaged", "Damaged", "housing or cable", "pontoon-21 2.F"), reason("test-set", "Test set", "card damaged", "pontoon-21 2.F"), reason("something-else", "Something else", "tell technician", "pontoon-21 2.F")];
const inspecting = (at, more) => make({ ...signedOut, mode: "inspection", inspection: { day: 20_587, full: false, step: at, paused: false, paused_before: [], repeated: 0, wrong: null, reasons, seals: [], cards: [], counters: [],
  steps: STEPS.map((name, index) => step(name, index + 1 < at ? "passed" : "open", index + 1 < at ? NOTES[name] ?? "" : "")),
  situation: `Inspection, step ${at} of 11.`, order: "Look at housing, cable, lens.", text: "Look at housing, cable and lens: undamaged, clean, nothing foreign.", source: "pontoon-21 2.F", answers: ["pass", "fail something-else"], ...more }, prompt: { situation: "Inspection.", text: "Inspection", clause: "pontoon-21 2.F", offers: [] } });
const seal = (name, last, more = {}) => ({ name, last, last_day: last === null ? null : 20_586, read: null, asked: false, ...more });
const sealStep = { situation: "Inspection, step 1 of 11.", order: "Are the numbers the same?", text: "Look at each seal: is its number the one of last time?", answers: ["all same", "seal <n> same", "seal <n> <number>", "repeat", "fail other-number"] };
export const inspectionSeals = inspecting(1, { ...sealStep, seals: [seal("reader housing", "A-1041", { read: "A-1041" }), seal("reader cable", "A-1042", { read: "A-1043" }), seal("controller door", "B-2207"), seal("shuffler port", "C-0093")] });
export const inspectionFirst = inspecting(1, { ...sealStep, answers: sealStep.answers.slice(1), seals: [seal("reader housing", null, { read: "WWWW-WWWW-WW" }), seal("reader cable", null), seal("controller door", "WWWW-WWWW-WW"), seal("shuffler port", "C-0093")] });
export const inspectionAsked = inspecting(1, { situation: "Read the seal: controller door.", order: "Tap its last two signs.", text: "Read the seal of the controller door: what are its last two signs?", answers: ["<last two signs>", "fail other-number"], seals: [seal("reader housing", null), seal("reader cable", null), seal("controller door", null, { asked: true }), seal("shuffler port", null)] });
export const inspectionHousing = inspecting(2, {});
const test = (name, under, expected, read = null) => ({ name, under, expected, read });
const daily = [["ten", "ace", "yes"], ["king, upside down", "ace", "yes"], ["ace", "ace", "no"], ["nine", "ace", "no"], ["ace", "ten", "yes"], ["ace, upside down", "ten", "yes"], ["five", "ten", "no"], ["blank card", "ten", "unread"]];
// The whole set: seven cards, two colours, two ways round, two up cards; and what cannot be read.
const whole = [...["red", "black"].flatMap((colour) => ["", ", upside down"].flatMap((way) => ["king", "queen", "jack", "ten", "ace", "nine", "five"].flatMap((name) => [[`${colour} ${name}${way}`, "ace", name === "ace" ? "no" : "yes"], [`${colour} ${name}${way}`, "ten", name === "ace" ? "yes" : "no"]]))),
  ...["blank card", "king, face up", "king, half inserted"].flatMap((name) => [[name, "ace", "unread"], [name, "ten", "unread"]])];
const shown = (set, done) => set.map(([name, under, expected], at) => test(name, under, expected, at < done ? expected : null));
export const inspectionCards = inspecting(4, { situation: "Card 3 of 8, as under an ace.", order: "Ace.", text: "Insert the ace as if under an ace (3 of 8).", answers: ["repeat", "fail wrong-answer"], cards: shown(daily, 2), repeated: 1, paused_before: [4] });
export const inspectionCardsFull = inspecting(4, { full: true, situation: "Card 33 of 62, as under an ace.", order: "Black king, upside down.", text: "Insert the black king, upside down as if under an ace (33 of 62).", answers: ["repeat", "fail wrong-answer"], cards: shown(whole, 32), repeated: 12 });
export const inspectionWrong = inspecting(4, { situation: "Not right: test cards.", order: "Repeat it, or fail it.", text: "King, upside down: no where yes belongs. Repeat it, or fail it for a reason.", wrong: "black queen, upside down: unread where yes belongs", answers: ["repeat", "fail wrong-answer"], cards: shown(daily, 1).map((card, at) => (at === 1 ? { ...card, read: "no" } : card)) });
export const inspectionCounters = inspecting(10, { situation: "Inspection, step 10 of 11.", order: "Look at the reader's counts.", text: "Look at the readings since the last inspection. 207 read, 4 unread, 0 wrong.", counters: [[20_587, 207, 4, 0], [20_586, 1950, 1, 0], [20_585, 1200, 0, 0], [20_584, 990, 2, 0], [20_583, 2010, 1, 0], [20_582, 1870, 0, 0], [20_581, 1999, 1, 0], [20_580, 1400, 0, 0]].map(([day, read, unread, wrong]) => ({ day, read, unread, wrong })) });
export const inspectionSign = inspecting(11, { situation: "Inspection, step 11 of 11.", order: "Sign the inspection.", text: "Sign the inspection.", answers: ["sign"], paused_before: [4] });
export const inspectionFailed = inspecting(11, { situation: "Step failed: test cards.", order: "Sign, or repeat the step.", text: "Test cards failed: wrong answer: king, upside down: no where yes belongs. Sign it, or repeat the step.", answers: ["sign", "repeat"], steps: STEPS.map((name, index) => step(name, index < 3 ? "passed" : index === 3 ? "failed" : "open", index === 3 ? "wrong answer: king, upside down: no where yes belongs" : index < 3 ? NOTES[name] ?? "" : "")) });
const order = (number, place, what, more = {}) => ({ order: number, place, what, source: "pontoon-21 2.F", opened_by: 2041, opened_sequence: 18_011, since_ms: 1_778_715_660_000, ...more });
export const workOrders = make({ ...signedOut, work_orders: [order(12, "reader", "wrong answer: black queen, upside down: unread where yes belongs", { source: "RD-105", fault }), order(13, "reader lamps", "wrong colour"), order(14, "sensors", "no answer: seat 8, spot 3"), order(15, "seals", "other number: controller door B-2209, was B-2207")] });
const signedRecord = (day, passed) => ({ table: "T03", game: "pontoon-21", day, full: false, passed, sequence: 18_011, by: 2041, began: 524, signed: 541, repeated: 1, work_orders: passed ? [] : [12], source: "pontoon-21 2.F", cards: [], pauses: [{ step: 4, from: 531, to: 534, restart: false }],
  steps: STEPS.slice(0, 10).map((name, index) => ({ name, result: passed || index < 3 ? "passed" : index === 3 ? "failed" : "open", note: passed || index < 3 ? NOTES[name] ?? "" : "" })) });
export const inspections = { inspections: [{ record: signedRecord(20_587, true), sheet: "<h1>Daily inspection</h1>" }, { record: signedRecord(20_586, false), sheet: "" }, { record: signedRecord(20_585, true), sheet: "" }] };
export const inspected = make({ ...signedOut, day: { ...signedOut.day, inspected: true } });

// A round as the journal tells it.
const event = (kind, more) => ({ event: { kind, text: kind, clause: "pontoon-21 7.E", ...more } });
const record = (number, person, ...events) => ({ sequence: number, wall_us: (1_778_715_660_000 + number * 4000) * 1000, person, input: null, events });
const dealt = (position, card, total) => event("card-dealt", { to: position === "D" ? "dealer" : { position, hand: 1 }, card, total, soft: false });
export const recalled = { round: 647, finished: true, records: [
  record(1, 1007, ...[1, 2, 3, 4, 5, 6, 7].map((position) => event("wager-placed", { position, wager: "main", amount_cents: position === 3 ? 100_000_000 : null }))), record(2, 0, event("wagers-locked", {})),
  record(3, 0, dealt(1, "9h", 9), dealt(3, "Kc", 10), dealt("D", "9c", 9)), record(4, 0, dealt(1, "7s", 16), dealt(3, "6s", 16), event("card-dealt", { to: "hole-card", card: "?" })), record(5, 0, event("reader-answered", { answer: "no" })),
  record(6, 1007, event("acted", { position: 1, hand: 1, action: "stand", amount_cents: null })), record(7, 0, dealt(3, "8h", 24)), record(8, 1007, { settled: { ...taken, stake_cents: 2500 } }, event("line-confirmed", { position: 3, hand: 1, wager: "main", implied: false })),
  record(9, 1007, event("hole-card-revealed", { card: "Kd", total: 19, soft: false }), event("dealer-stands", { total: 19, soft: false })), record(10, 2041, event("corrected", { text: "the floorperson takes back a wrong line" })), record(11, 1007, event("round-ended", {}))] };
const hash = "9f3c20d177e4a71e05b86cf2d1940e3b6a7715c8f02be94d38c5016fb7da0d42";
export const read = { "/api/v1/day": alerts.day, "/api/v1/identity": { version: "1.4.0", software: hash, rules: hash, configuration: hash, epoch: 12 }, "/api/v1/head": { sequence: 18_204, hash }, "/api/v1/recall/647": recalled, "/api/v1/inspections": inspections };

// The chips that are shipped with the table's configuration.
export const houseSettings = {
  px_per_mm: null, mirror: false, number_pad: false, all_lines_limit_cents: 50_000, reader_answer_ms: 700, day_starts_minute: 360,
  chips: [[100, "#5b6d8f"], [500, "#a81f2d"], [2500, "#1f6f43"], [10_000, "#202428"], [50_000, "#5c3a86"], [100_000, "#b85f1a"], [500_000, "#8a6a3a"]].map(([cents, colour]) => ({ cents, colour })),
};
