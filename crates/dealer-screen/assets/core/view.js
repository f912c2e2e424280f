// From a screen and what the page itself knows to what is drawn. Pure: same screen, same view; nothing here touches a
// document, a clock or the network.
//
// A view has five parts: the prompt bar, the strip, the zone, the tools and the slots. Pages (see pages.js) stand in the
// place of zone and slots and may bring an order of their own.

import { slots, tools } from "./bar.js";
import { fill } from "./keys.js";
import { closed } from "./decisions.js";
import { orderOf, whyKey } from "./order.js";
import { PAGES, pageOf } from "./pages.js";
import { dealerPane, focusPane } from "./panes.js";
import { seatViews } from "./seats.js";
import { strip } from "./strip.js";
import { clauseId } from "./text.js";

export const blank = { prompt: { tone: "info", situation: "Dealer screen", order: "Waiting for the table", why: { label: "Why?", note: "" } }, strip: { tone: null, cells: [], end: { text: "" } },
  zone: { kind: "empty" }, tools: [], slots: fill([]) };

export function view(screen, local) {
  if (!screen) return blank;
  const order = orderOf(screen, local);
  const page = local.page ? { ...local.page, page: PAGES[local.page.name] } : pageOf(screen, local);
  const base = page?.page ? page.page.view(screen, page.state, local) : table(screen, local);
  const prompt = { ...order, ...(base.prompt ?? {}) };
  const built = {
    number: screen.prompt_number,
    prompt: { ...prompt, why: base.key ?? whyKey(prompt.clause, Boolean(local.why)) },
    strip: base.strip ?? strip(screen, local),
    zone: base.zone, tools: base.tools ?? tools(screen, base.toolsMore), slots: base.slots, sheet: base.sheet ?? null, page: page?.page ? page.name : null,
    why: local.why ? why(screen, prompt) : null,
  };
  return local.gone || local.saving ? notCurrent(built, local) : built;
}

const table = (screen, local) => ({
  zone: { kind: "table", seats: seatViews(screen, local), dealer: dealerPane(screen), focus: focusPane(screen, local) },
  slots: slots(screen, local),
});

function why(screen, prompt) {
  return { clause: clauseId(prompt.clause), source: prompt.clause, text: screen.prompt.paraphrase ?? "The table tells no more about this step.", closed: closed(screen) };
}

// What is not current must not look so: a grey zone, no slots, and the strip says why.
function notCurrent(built, local) {
  const prompt = local.gone
    ? { ...built.prompt, tone: "stop", situation: "The table does not answer.", order: "Wait. Take no new step.", paraphrase: null }
    : { ...built.prompt, tone: "info", situation: "Saving is slow.", order: "Wait. Take no new step.", paraphrase: null };
  const wait = local.gone ? { label: "Not current", note: "please wait" } : { label: "Saving", note: "please wait" };
  return {
    ...built, prompt, dim: true, why: null,
    tools: built.tools.map((tool) => (tool.id === "undo" ? { ...tool, act: null } : tool)),
    slots: fill([{ kind: "wait", at: 4, span: 2, icon: "pause", ...wait }]),
  };
}
