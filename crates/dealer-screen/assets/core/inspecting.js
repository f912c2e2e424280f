// The steps of an inspection as cells, and its test cards as a grid.

const capital = (name) => name.charAt(0).toUpperCase() + name.slice(1);

// One cell a step: the current one wide, with its name; a double bar where somebody paused.
export const track = ({ steps, step, paused_before: paused }) => steps.map((each, at) => {
  const bar = paused.includes(at + 2) ? " ‖" : "";
  if (at + 1 === step) return { text: `${at + 1} ${capital(each.name)}`, tone: "now" };
  if (each.state === "passed") return { text: `✓${bar}`, tone: "ok" };
  return each.state === "failed" ? { text: `✕ ${at + 1}${bar}`, tone: "bad" } : { text: `${at + 1}${bar}`, tone: "past" };
});

const RANKS = { ace: "A", king: "K", queen: "Q", jack: "J", ten: "10", nine: "9", five: "5" };
const WAYS = { "blank card": "blank", "king, face up": "face up", "king, half inserted": "half in" };

// `red king, upside down`: which row and which column. What cannot be read stands in the first row of its up card.
function place({ name, under }) {
  if (WAYS[name]) return { column: WAYS[name], row: null, under };
  const [, colour = "", card, turned] = /^(red |black )?([a-z]+)(, upside down)?$/.exec(name) ?? [null, "", name, undefined];
  return { column: RANKS[card] ?? card, row: `${colour.trim()}${colour ? ", " : ""}end ${turned ? 2 : 1}`, under };
}

// Rows of cells: what is expected, and what was read. `at` is the card that is asked for.
export function grid(cards, at, wrong) {
  const placed = cards.map((card, index) => ({ ...card, ...place(card), index }));
  const columns = [...new Set(placed.map((card) => card.column))];
  const rows = ["ace", "ten"].flatMap((under) => [...new Set(placed.filter((card) => card.under === under && card.row).map((card) => card.row))].map((row) => ({ under, row })));
  const first = (under) => rows.find((row) => row.under === under);
  const cell = (card) => {
    if (!card) return null;
    const short = (answer) => (answer === "unread" ? "–" : answer);
    if (card.index === at) return wrong ? { text: `${short(card.read)} ✕`, tone: "bad" } : { text: `${short(card.expected)} ?`, tone: "now" };
    return card.read === null ? { text: short(card.expected), tone: "open" } : { text: `${short(card.read)} ✓`, tone: "ok" };
  };
  return {
    columns,
    rows: rows.map(({ under, row }) => ({
      label: `${capital(under)} up`, note: row,
      cells: columns.map((column) => cell(placed.find((card) => card.column === column && card.under === under && (card.row ?? first(under).row) === row))),
    })),
  };
}

// Which card is asked for, and how many were read.
export function asked(cards, text) {
  const said = /\((\d+) of \d+\)/.exec(text);
  if (said) return Number(said[1]) - 1;
  // Where the last answer was wrong, it is the last one that has an answer.
  return cards.findLastIndex((card) => card.read !== null);
}

export { capital };
