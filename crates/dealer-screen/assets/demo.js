// Faults on demand, at a demo alone. A table that people play at has no such address, and then nothing is shown.

import { button, el } from "./dom.js";

export async function offerFaults(bar) {
  const answer = await fetch("/api/v1/demo", { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const { faults } = await answer.json();
  const told = el("span", { role: "status" });
  const bring = async ({ word, label }) => {
    const sent = await fetch("/api/v1/demo", {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ fault: word }),
    }).catch(() => null);
    told.textContent = sent?.ok ? `${label}: on its way` : `${label}: not now`;
  };
  bar.replaceChildren(el("b", {}, "DEMO"), ...faults.map((fault) => button(fault.label, () => bring(fault), { class: "quiet", "data-fault": fault.word })), told);
  bar.hidden = false;
  document.body.classList.add("demo");
}
