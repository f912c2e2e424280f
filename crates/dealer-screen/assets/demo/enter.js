// As /enter does it for a kiosk: the key behind the # becomes a cookie, and the address is forgotten.
"use strict";

const token = location.hash.slice(1);
history.replaceState(null, "", "/demo/enter");
fetch("/api/v1/enter", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ token }) })
  .then((answer) => {
    if (answer.ok) location.replace("/demo");
    else document.getElementById("said").textContent = "This is not the demo's key. Start it again.";
  })
  .catch(() => {
    document.getElementById("said").textContent = "The demo does not answer. Start it again.";
  });
