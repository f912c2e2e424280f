// The kiosk comes here with the table's key behind the #, which a browser sends to nobody. The key is exchanged for a
// cookie that no script can read, and the address is forgotten.
"use strict";

const token = location.hash.slice(1);
history.replaceState(null, "", "/enter");
fetch("/api/v1/enter", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ token }),
})
  .then((answer) => {
    if (answer.ok) location.replace("/");
    else document.getElementById("said").textContent = "This is not the table's key. Start the kiosk again.";
  })
  .catch(() => {
    document.getElementById("said").textContent = "The table does not answer. Start the kiosk again.";
  });
