// What the house sets for its screens.

// Until the table has told: no chips to break an amount down into, and no line that goes with all others.
const UNTOLD = { px_per_mm: null, mirror: false, number_pad: false, all_lines_limit_cents: 0, chips: [] };

export const settings = (sent) => ({ ...UNTOLD, ...(sent ?? {}) });

// The size of 1 rem in pixels: targets of 12 mm on any panel (1.93 mm a rem), and never less room than the page needs.
// Where nobody has measured the panel: a 7-inch one of 800 pixels, else a 10-inch one of 1280.
export function rem(width, height, pxPerMm) {
  const perMm = pxPerMm ?? (width <= 1024 ? 5.25 : 5.9);
  return Math.max(Math.min(1.93 * perMm, width / 78, height / 48), Math.min(width / 91.4, height / 57.1));
}

export const isCompact = (width, height, remPx) => width / remPx < 84 || height / remPx < 52;
