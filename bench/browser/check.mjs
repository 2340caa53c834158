// Opens pages in a headless browser and looks at what it made of them.
//
//   node check.mjs FOLDER PAGE...
//
// FOLDER holds node_modules with playwright-core. Prints a line for each thing that is wrong, and
// for each view a line of what was looked at. Exit code 1 when something is wrong.
import { createRequire } from "node:module";
import { accessSync, constants } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...pages] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(folder), "x.js"))("playwright-core");

const VIEWS = [1280, 400].flatMap((width) => ["light", "dark"].map((scheme) => ({ width, scheme })));

function browserPath() {
  for (const dir of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(dir, "chromium");
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // not in this folder
    }
  }
  throw new Error("there is no chromium on the path; run bench/browser/install");
}

// Runs inside the page.
function look() {
  const wrong = [];
  const slack = 0.5;
  const name = (element) => `${element.tagName} ${JSON.stringify(element.textContent.trim().slice(0, 60))}`;
  const overlap = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack;
  const within = (a, b) =>
    a.left >= b.left - slack && a.right <= b.right + slack && a.top >= b.top - slack && a.bottom <= b.bottom + slack;
  const channels = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map(Number);
  const light = (colour) => {
    const [r, g, b] = channels(colour).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const ground = getComputedStyle(document.body).backgroundColor;

  document.querySelectorAll("details").forEach((details) => (details.open = true));
  const drawings = [...document.querySelectorAll("svg")];
  let texts = 0;
  let marks = 0;
  for (const svg of drawings) {
    const title = svg.getAttribute("aria-label");
    const box = svg.getBoundingClientRect();
    if (box.width < 5 || box.height < 5) {
      wrong.push(`the drawing ${title} has no size`);
    }
    const drawn = [...svg.querySelectorAll(".mark, .bar, .paper:not(text)")].filter((mark) => {
      const { width, height } = mark.getBoundingClientRect();
      const style = getComputedStyle(mark);
      const seen = [style.fill, style.stroke].some((paint) => paint !== "none" && contrast(paint, ground) > 2);
      return (width > 0 || height > 0) && seen;
    });
    marks += drawn.length;
    if (drawn.length === 0) {
      wrong.push(`the drawing ${title} shows nothing`);
    }
    for (const mark of drawn) {
      if (!within(mark.getBoundingClientRect(), box)) {
        wrong.push(`a mark is outside of ${title}`);
      }
    }
    const labels = [...svg.querySelectorAll("text")];
    texts += labels.length;
    const rects = labels.map((label) => label.getBoundingClientRect());
    labels.forEach((label, i) => {
      if (rects[i].width === 0) {
        wrong.push(`${name(label)} is invisible in ${title}`);
      }
      if (!within(rects[i], box)) {
        wrong.push(`${name(label)} is outside of ${title}`);
      }
      if (contrast(getComputedStyle(label).fill, ground) < 4.5) {
        wrong.push(`${name(label)} can hardly be read in ${title}`);
      }
      for (let j = i + 1; j < labels.length; j++) {
        if (overlap(rects[i], rects[j])) {
          wrong.push(`${name(label)} and ${name(labels[j])} overlap in ${title}`);
        }
      }
    });
  }

  for (const figure of document.querySelectorAll("figure")) {
    const parts = [...figure.children].map((part) => part.getBoundingClientRect());
    parts.forEach((part, i) => {
      if (parts.slice(i + 1).some((other) => overlap(part, other))) {
        wrong.push(`parts of ${name(figure)} overlap`);
      }
    });
  }
  const figures = [...document.querySelectorAll("figure")].map((figure) => figure.getBoundingClientRect());
  figures.forEach((figure, i) => {
    if (figures.slice(i + 1).some((other) => overlap(figure, other))) {
      wrong.push("figures overlap");
    }
  });
  for (const cell of document.querySelectorAll("td, th, dt, dd, li")) {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const words = range.getBoundingClientRect();
    const box = cell.getBoundingClientRect();
    if (words.width > 0 && (words.left < box.left - 1 || words.right > box.right + 1)) {
      wrong.push(`${name(cell)} does not fit into its place`);
    }
  }
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    wrong.push(`the page is ${root.scrollWidth} wide and the window ${root.clientWidth}`);
  }
  return { wrong, ground, drawings: drawings.length, texts, marks };
}

const browser = await chromium.launch({
  executablePath: browserPath(),
  args: process.getuid() === 0 ? ["--no-sandbox"] : [],
});
let bad = 0;
try {
  for (const file of pages) {
    const url = pathToFileURL(resolve(file)).href;
    const grounds = {};
    for (const { width, scheme } of VIEWS) {
      const view = `${file} ${width} ${scheme}`;
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
      const said = [];
      page.on("console", (message) => message.type() === "error" && said.push(`console: ${message.text()}`));
      page.on("pageerror", (error) => said.push(`error: ${error.message}`));
      page.on("dialog", (dialog) => (said.push("a dialog opened"), dialog.dismiss()));
      page.on("request", (request) => {
        if (request.url() !== url && !request.url().startsWith("data:")) {
          said.push(`it asked for ${request.url()}`);
        }
      });
      await page.goto(url, { waitUntil: "load" });
      const seen = await page.evaluate(look);
      grounds[scheme] = seen.ground;
      for (const line of [...new Set([...said, ...seen.wrong])]) {
        console.log(`${view}: ${line}`);
        bad++;
      }
      console.log(`${view}: looked at ${seen.drawings} drawings, ${seen.marks} marks, ${seen.texts} texts`);
      if (process.env.BUSBAR_SCREENSHOTS) {
        await page.screenshot({ path: join(process.env.BUSBAR_SCREENSHOTS, `${width}-${scheme}.png`), fullPage: true });
      }
      await page.close();
    }
    if (grounds.light === grounds.dark) {
      console.log(`${file}: light and dark look the same`);
      bad++;
    }
  }
} finally {
  await browser.close();
}
process.exit(bad === 0 ? 0 : 1);
