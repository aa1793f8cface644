// Measures what recognition on the device costs each installed browser: download, load time, work for each second of
// audio, delay of live words, and memory. Run: npm run bench -- device
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import * as v from "valibot";
import { findChromium, findFirefox, findMiniBrowser } from "#scripts/tools.mjs";
import { trialText } from "#server/speech/trial.ts";
import { wordErrors } from "#speech/word-errors.ts";
import { openBrowser } from "#tests/browser/harness-browser.ts";
import { openFirefox } from "#tests/browser/harness-firefox.ts";
import { openWebKit } from "#tests/browser/harness-webkit.ts";
import { talkSentences } from "#tests/fixtures/audio/texts.ts";
import { serveBuiltPage } from "./built-page.ts";
import type { Measured } from "./device/messages.ts";
import { type Figure, quantile, report } from "./figures.ts";
import { proportionalBytes } from "./process-tree.ts";

const limits = { downloadMB: 35, loadSeconds: 4, work: 0.3, lateSeconds: 1, memoryMB: 350, errors: 1 };
/** The time limit for a browser's whole run, in ms. */
const timeoutMs = 5 * 60_000;

interface OpenPage extends AsyncDisposable {
  open(url: string): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
}

async function openChromium(): Promise<OpenPage> {
  const browser = await openBrowser();
  const page = await browser.newPage();
  return {
    open: (url) => page.goto(url),
    evaluate: (expression) => page.evaluate(expression),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

const browsers: { name: string; isHere: boolean; open(): Promise<OpenPage> }[] = [
  { name: "Chromium", isHere: findChromium() !== undefined, open: openChromium },
  { name: "Firefox", isHere: findFirefox() !== undefined, open: () => openFirefox({}) },
  { name: "WebKit", isHere: findMiniBrowser() !== undefined, open: () => openWebKit({}) },
];

const Recognized = v.object({ seconds: v.number(), work: v.number(), text: v.string() });
const Live = v.object({ text: v.string(), late: v.array(v.number()), isSlow: v.boolean() });
const State = v.object({
  failed: v.nullable(v.string()),
  measured: v.nullable(
    v.pipe(
      v.string(),
      v.parseJson(),
      v.object({ loadSeconds: v.number(), recordings: v.array(Recognized), live: v.array(Live) }),
    ),
  ),
});

/**
 * The bytes that a page fetches for recognition, gzipped as the server sends them: the model, the engine, and the
 * worker's program.
 */
async function downloadBytes(folder: string): Promise<number> {
  const assets = join(folder, "assets");
  const names = (await readdir(assets)).filter((name) => /\.(ort|onnx|txt|wasm)$|^worker.*\.js$/.test(name));
  const sizes = names.map(async (name) => gzipSync(await readFile(join(assets, name)), { level: 9 }).length);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

interface Costs {
  measured: Measured;
  /** The growth of the page's process in MB: the maximum, and what remains after the worker has ended. */
  most: number;
  left: number;
}

async function measure(open: () => Promise<OpenPage>, url: string): Promise<Costs> {
  await using page = await open();
  await page.open(url);
  await wait(2_000);
  const before = await proportionalBytes(process.pid);
  // Counts the process that grows most, which is the page's: the worker is one of its threads.
  const grown = async () => {
    const now = [...(await proportionalBytes(process.pid))].filter(([id]) => id !== process.pid);
    return Math.max(...now.map(([id, bytes]) => bytes - (before.get(id) ?? 0))) / 1e6;
  };
  await page.evaluate("begin()");
  const deadline = performance.now() + timeoutMs;
  let most = 0;
  while (performance.now() < deadline) {
    await wait(500);
    most = Math.max(most, await grown());
    const { failed, measured } = v.parse(State, await page.evaluate("({ failed, measured })"));
    if (failed !== null) throw new Error(failed);
    if (measured === null) continue;
    await wait(3_000);
    return { measured, most, left: await grown() };
  }
  throw new Error("The page took too long.");
}

function figuresOf(name: string, { measured: { loadSeconds, recordings, live }, most, left }: Costs): Figure[] {
  const seconds = recordings.reduce((sum, recording) => sum + recording.seconds, 0);
  const work = recordings.reduce((sum, recording) => sum + recording.work, 0) / seconds;
  const errors = (texts: readonly { text: string }[]) => wordErrors(texts.map(({ text }) => text).join(" "), reference).errors;
  const late = live.flatMap((stream) => stream.late);
  const lateSeconds = quantile(late, 0.95);
  const words = (count: number) => `${count} of ${wordErrors("", reference).words}`;
  const figures: Figure[] = [
    {
      name: "loaded within",
      value: `${loadSeconds.toFixed(2)} s`,
      limit: `${limits.loadSeconds} s`,
      ok: loadSeconds <= limits.loadSeconds,
    },
    {
      name: `work for a second of sound, of ${seconds.toFixed(0)} s`,
      value: `${work.toFixed(3)} s`,
      limit: `${limits.work} s`,
      ok: work <= limits.work,
    },
    {
      name: "wrong words of a recording",
      value: words(errors(recordings)),
      limit: `${limits.errors}`,
      ok: errors(recordings) <= limits.errors,
    },
    { name: "wrong words of live speech", value: words(errors(live)) },
    {
      name: "live words in sight after they were spoken, 95 %",
      value: `${lateSeconds.toFixed(2)} s; median ${quantile(late, 0.5).toFixed(2)} s`,
      limit: `${limits.lateSeconds} s`,
      ok: lateSeconds <= limits.lateSeconds && live.every(({ isSlow }) => !isSlow),
    },
    {
      name: "memory beyond the page's own, at most",
      value: `${most.toFixed(0)} MB; ${left.toFixed(0)} MB when the worker has ended`,
      limit: `${limits.memoryMB} MB`,
      ok: most <= limits.memoryMB,
    },
  ];
  return figures.map((figure) => ({ ...figure, name: `${name}: ${figure.name}` }));
}

const reference = [trialText, ...talkSentences].join(" ");
await using page = await serveBuiltPage("device");
const download = (await downloadBytes(page.folder)) / 1e6;
const figures: Figure[] = [
  { name: "download", value: `${download.toFixed(1)} MB`, limit: `${limits.downloadMB} MB`, ok: download <= limits.downloadMB },
];
for (const { name, isHere, open } of browsers) {
  if (!isHere) {
    console.log(`${name} is not installed here.`);
    continue;
  }
  try {
    figures.push(...figuresOf(name, await measure(open, page.url)));
  } catch (error) {
    figures.push({ name: `${name}: can't recognize`, value: String(error), ok: false, limit: "recognizes" });
  }
}
report(figures);
