// The demo's own page: the panel that makes something go wrong, and the table that says so and goes on.
//
//     node demo.mjs HOLECARD [SHOTS]

import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { browser, check, enter, measure, screenOf } from "./bench.mjs";

const [program, shots] = process.argv.slice(2);
if (shots) mkdirSync(shots, { recursive: true });

const child = spawn(program, ["demo", "--speed", "20"], { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: child.stdout });
const link = await new Promise((resolve, reject) => {
  lines.on("line", (line) => /http:\S+/.test(line) && resolve(/http:\S+/.exec(line)[0]));
  child.once("exit", () => reject(new Error("the demo ended before it said where its page is")));
});
const app = await browser();
try {
  const { page, complaints, close } = await enter(app, { enter: link });
  await page.locator("#demo [data-fault=reader-fault]").waitFor();
  const words = await page.locator("#demo button").evaluateAll((all) => all.map((each) => each.dataset.fault));
  check(words.join(" ") === "unread reader-fault jam late-chip jackpot power-cut", `the panel offers ${words}`);
  const rounds = async () => (await screenOf(page)).day.rounds;
  await until("a first round", async () => (await rounds()) > 0);
  for (const [width, height] of shots ? [[800, 480], [1280, 800]] : []) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: join(shots, `demo-${width}x${height}.png`) });
  }
  await measure(page, "demo");
  const before = await rounds();
  await page.locator("#demo [data-fault=reader-fault]").click();
  await page.locator("#demo [role=status]").filter({ hasText: "reader fault" }).waitFor();
  await until("the fault on the page", async () => (await page.locator("#strip").innerText()).includes("reader: fault"));
  if (shots) await page.screenshot({ path: join(shots, "demo-fault.png") });
  await until("rounds after the fault", async () => (await rounds()) >= before + 2);
  check(complaints.length === 0, complaints.join("; "));
  await close();
  console.log("ok demo");
} finally {
  await app.close();
  const ended = once(child, "exit");
  child.kill();
  await ended;
}

async function until(what, holds) {
  const deadline = Date.now() + 120_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`${what} did not come`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
