// Requests to the table. Each has a key of its own, so that asking again after a lost answer does nothing twice.

const JSON_TYPE = { "content-type": "application/json" };

const newKey = () => crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export async function fetchPad() {
  const answer = await fetch("/api/v1/pad", { cache: "no-store" });
  if (!answer.ok) throw new Error("no pad");
  return answer.json();
}

// What the table tells at an address; nothing where it does not tell. In a visit its token goes with the question.
export async function read(address, visit = null) {
  const headers = visit ? { "holecard-visit": visit } : {};
  const answer = await fetch(address.split("#")[0], { cache: "no-store", headers }).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

// What the house has set for its screens.
export const fetchSettings = () => read("/api/v1/settings");

// Whose PIN was right here last.
export const fetchPeople = async () => (await read("/api/v1/people"))?.people ?? [];

const UNREACHABLE = { status: 0, body: { error: "unreachable", reason: "The table does not answer", clause: "api unreachable" } };

async function once(address, body) {
  const answer = await fetch(address, { method: "POST", headers: JSON_TYPE, body: JSON.stringify(body) }).catch(() => null);
  return answer ? { status: answer.status, body: await answer.json() } : UNREACHABLE;
}

// A visit: begun with a number and a PIN, kept by touches, left.
export const beginVisit = (credentials) => once("/api/v1/visit", credentials);
export const touchVisit = (visit) => once("/api/v1/visit/touch", { visit });
export const leaveVisit = (visit) => once("/api/v1/visit/leave", { visit });

// Resolves to {status, body}; a network failure is tried again under the same key.
export async function post(action, prompt, credentials = {}) {
  const body = JSON.stringify({ key: newKey(), prompt, action, ...credentials });
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await fetch("/api/v1/act", { method: "POST", headers: JSON_TYPE, body });
      return { status: answer.status, body: await answer.json() };
    } catch (error) {
      // A pad is good for one try, so a request with a PIN is not repeated by itself.
      if (attempt >= 3 || credentials.pin) {
        return UNREACHABLE;
      }
      await new Promise((resolve) => setTimeout(resolve, 300 * (attempt + 1)));
    }
  }
}

// The stream: `screen` with a frame, `saving` with true or false, `visit` with one or null, `alive` every second. The browser resumes by itself
// with the id of what it has.
export function listen(on) {
  const source = new EventSource("/api/v1/events");
  source.addEventListener("screen", (event) => on.screen(JSON.parse(event.data)));
  source.addEventListener("saving", (event) => on.saving(event.data === "true"));
  source.addEventListener("visit", (event) => on.visit(JSON.parse(event.data)));
  source.addEventListener("alive", () => on.alive());
  source.addEventListener("error", () => {
    // Refused for good (no key, too many streams): the browser gives up, so it is tried anew.
    if (source.readyState === EventSource.CLOSED) {
      on.closed();
      setTimeout(() => listen(on), 2000);
    }
  });
}
