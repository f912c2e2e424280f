// Every shipped file's sign is printed and stands on one sheet; the tool's own PDF is the same.
//
//     node signs.mjs HOLECARD SUBMISSIONS [SHOTS]

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { browser, check } from "./bench.mjs";

const [program, submissions, shots] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "signs-"));
const sheets = (pdf) => (pdf.toString("latin1").match(/\/Type\s*\/Page[^s]/g) ?? []).length;
const sign = (...args) => execFileSync(program, ["sign", ...args], { stdio: ["ignore", "pipe", "pipe"] });

const app = await browser();
try {
  const page = await app.newPage();
  const sizes = { letter: 0, a3: 0 };
  const files = readdirSync(submissions).filter((file) => file.endsWith(".toml"));
  for (const file of files) {
    const html = join(folder, `${basename(file, ".toml")}.html`);
    sign(join(submissions, file), "-o", html);
    await page.goto(`file://${html}`);
    const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
    if (shots) writeFileSync(join(shots, `${basename(file, ".toml")}.pdf`), pdf);
    check(sheets(pdf) === 1, `${file}: ${sheets(pdf)} sheets`);
    const paper = (await page.evaluate(() => document.documentElement.className)).split(" ")[0];
    sizes[paper] += 1;
    // The smallest type is read from a chair: 1 pt is 0.35 mm.
    const least = await page.evaluate(() => Math.min(...[...document.querySelectorAll("th, td, section p")].map((node) => parseFloat(getComputedStyle(node).fontSize))));
    check(least * 0.75 >= 7, `${file}: ${(least * 0.75).toFixed(1)} pt`);
  }
  check(files.length > 0 && sizes.letter > 0, "no sign was printed");
  const made = join(folder, "made.pdf");
  sign(join(submissions, files[0]), "--pdf", "-o", made);
  check(sheets(readFileSync(made)) === 1, "the tool's own PDF is not one sheet");
  console.log(`ok ${files.length} signs on one sheet each: ${sizes.letter} on letter, ${sizes.a3} on A3`);
} finally {
  await app.close();
  rmSync(folder, { recursive: true });
}
