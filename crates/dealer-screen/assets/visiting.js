// The visit of this page: its token, kept alive by touches and ended by Leave, by time or by another visit. The table times
// it; what is here is only what the page has been told.

import { beginVisit, leaveVisit, touchVisit } from "./send.js";

// So often at most the table is told that somebody is there.
const TOUCH_EVERY_MS = 5000;

const OVER = { reason: "The visit is over: your PIN again", clause: "api visit-over" };

// `local.visit` is what the pages see of it. `over(why)` is called when it has ended.
export function visiting(local, over) {
  let touched = -Infinity;

  const end = (why = OVER) => {
    if (!local.visit) return;
    local.visit = null;
    local.read = {};
    over(why);
  };

  return {
    async begin(credentials) {
      const result = await beginVisit(credentials);
      if (result.status === 200) {
        local.visit = { ...result.body.visit, token: result.body.token, may: result.body.may };
        touched = performance.now();
      }
      return result;
    },
    // A finger: turning pages is no action, so the table is told.
    async touch() {
      const now = performance.now();
      if (!local.visit || now - touched < TOUCH_EVERY_MS) return;
      touched = now;
      const { status } = await touchVisit(local.visit.token);
      if (status === 401) end();
    },
    leave() {
      const token = local.visit?.token;
      end(null);
      if (token) leaveVisit(token);
    },
    // What the stream says: none, or somebody's.
    told(visit) {
      if (local.visit && visit?.number !== local.visit.number) end();
    },
    end,
  };
}
