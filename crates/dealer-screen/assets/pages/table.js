// A visitor looks at the table: everything that lies there, and nothing of the dealer's to press.

import { amber } from "../core/keys.js";
import { dealerPane, focusPane } from "../core/panes.js";
import { seatViews } from "../core/seats.js";
import { ofVisit } from "../core/visits.js";

export const open = () => ({});

export function view(screen, state, local) {
  const seats = seatViews(screen, local).map(({ act, hold, ...seat }) => seat);
  const { key, ...focus } = focusPane(screen, { ...local, look: null });
  return {
    ...ofVisit(screen, local, "the table", screen.prompt.text, {
      zone: { kind: "table", seats, dealer: dealerPane(screen), focus },
      slots: [amber("Floor pages", "the dealer waits", { open: "floor" }, { icon: "tiles" })],
    }),
  };
}

export const step = (screen, state) => ({ state });
