// Money as people read it. Whole cents in, text out; no fractions anywhere.

const thousands = (whole) => String(whole).replace(/\B(?=(\d{3})+$)/g, ",");

// Always with cents: for prompts, the focus pane and records.
export function money(cents) {
  if (cents === null || cents === undefined) return "chips";
  const whole = Math.abs(cents);
  return `${cents < 0 ? "-" : ""}$${thousands(Math.floor(whole / 100))}.${String(whole % 100).padStart(2, "0")}`;
}

// Where room is short `.00` is left out.
export const shortMoney = (cents) => money(cents).replace(/\.00$/, "");

// In a row of a split hand the largest amounts go without their sign.
export const rowMoney = (cents) => (cents >= 10_000_000 ? shortMoney(cents).slice(1) : shortMoney(cents));

// As the play script writes an amount.
export function scriptAmount(cents) {
  const rest = cents % 100;
  return `${Math.floor(cents / 100)}${rest ? "." + String(rest).padStart(2, "0") : ""}`;
}

// The value on a chip: `25`, `5,000`, `50¢`.
export const chipValue = (cents) => (cents % 100 ? `${cents}¢` : thousands(cents / 100));

// The fewest chips of the house's set, largest first; what no chip makes up is `left`.
export function breakDown(cents, chipSet) {
  const chips = [];
  let left = cents;
  for (const chip of [...chipSet].sort((one, other) => other.cents - one.cents)) {
    const count = Math.floor(left / chip.cents);
    if (count > 0) chips.push({ ...chip, value: chipValue(chip.cents), count });
    left -= count * chip.cents;
  }
  return { chips, left };
}
