// The display comes here with its own key behind the #, which a browser sends to nobody, and gets a cookie for it that opens
// nothing but the amounts.
"use strict";

const token = location.hash.slice(1);
history.replaceState(null, "", "/meters/enter");
const said = (text) => {
  document.getElementById("said").textContent = text;
};
fetch("/api/v1/enter", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ token }) })
  .then((answer) => (answer.ok ? location.replace("/meters") : said("This is not the display's key. Start the display again.")))
  .catch(() => said("The table does not answer. Start the display again."));
