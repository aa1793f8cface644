// The time from the upload of a file to its text, compared with the bare recognizer on the same audio in the same run:
// as many processes as cores, with one thread each. Run: npm run bench -- transcribe; for an hour:
// TRANSCRIBE_MINUTES=60 npm run bench -- transcribe
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { Transcription } from "#contract/index.ts";
import { wavHeader } from "#server/speech/index.ts";
import { pcmRate } from "#speech/bytes.ts";
import { wordErrors, wordsOf } from "#speech/word-errors.ts";
import { getTranscription, read, signUp, upload } from "#tests/server/harness.ts";
import { report } from "./figures.ts";
import { end, launchProduct } from "./history/serve.ts";
import { processorSeconds, residentBytes } from "./process-tree.ts";
import { subscribe } from "./server/subscribe.ts";
import { run, sentences, speak } from "./spoken.ts";

/** Relative to the bare recognizer. */
const timeLimit = 1.3;
/** The share of words, in percent, that are wrong because of the server's cuts and joins. */
const errorLimit = 0.5;
/** The memory in the second half of the time, relative to the first. */
const memoryLimit = 1.2;

interface Run {
  seconds: number;
  processorSeconds: number;
  text: string;
}

/** The output of a process that recognizes its share. */
const Share = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ texts: v.array(v.object({ index: v.number(), text: v.string() })), processorSeconds: v.number() }),
);

const minutes = Number(process.env.TRANSCRIBE_MINUTES ?? 10);
const shares = availableParallelism();

async function recognizeBarely(path: string): Promise<Run> {
  const program = fileURLToPath(new URL("transcribe/bare-child.ts", import.meta.url));
  const begin = performance.now();
  const outputs = await Promise.all(
    Array.from({ length: shares }, (_, share) => run(process.execPath, [program, path, String(share), String(shares)])),
  );
  const seconds = (performance.now() - begin) / 1000;
  const done = outputs.map((output) => v.parse(Share, output));
  const parts = done.flatMap(({ texts }) => texts).toSorted((a, b) => a.index - b.index);
  return {
    seconds,
    processorSeconds: done.reduce((sum, share) => sum + share.processorSeconds, 0),
    text: parts.map(({ text }) => text).join(" "),
  };
}

interface ServerRun extends Run {
  /** From the start of the first piece to the end of the last one. */
  recognizingSeconds: number;
  /** The peak memory in bytes of the server and its processes, in the first and the second half of the time. */
  memory: [number, number];
}

/** Transcribes on a server that has just started, without loaded models. */
async function transcribe(path: string, dataDir: string): Promise<ServerRun> {
  const { url, child } = await launchProduct(dataDir);
  try {
    const pid = child.pid ?? 0;
    const person = await signUp({ apiUrl: url });
    subscribe(dataDir);
    const bytes = Uint8Array.from(await readFile(path));
    const before = await processorSeconds(pid);
    const begin = performance.now();
    const memory: number[] = [];
    let recognizing = Number.POSITIVE_INFINITY;
    const { id } = await read(await upload(person, bytes), 202, Transcription);
    for (;;) {
      const { status, progress, segments } = await getTranscription(person, id);
      if (status === "failed") throw new Error("The file could not be transcribed.");
      if (progress?.stage === "recognizing") recognizing = Math.min(recognizing, performance.now());
      memory.push(await residentBytes(pid));
      if (status !== "completed") {
        await wait(500);
        continue;
      }
      const now = performance.now();
      const half = memory.length / 2;
      return {
        seconds: (now - begin) / 1000,
        recognizingSeconds: (now - recognizing) / 1000,
        processorSeconds: (await processorSeconds(pid)) - before,
        memory: [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))],
        text: segments.map(({ text }) => text).join(" "),
      };
    }
  } finally {
    await end(child);
  }
}

const folder = await mkdtemp(join(tmpdir(), "parlance-bench-"));
try {
  const path = join(folder, "speech.wav");
  // A sentence takes 4.1 s on average, with its pause.
  const said = sentences(Math.ceil((minutes * 60) / 4.1)).join("\n");
  await speak(said, path);
  const audioSeconds = ((await readFile(path)).length - wavHeader(0).length) / (pcmRate * 2);
  // Measured before and after, because a machine's speed varies.
  const bare = await recognizeBarely(path);
  const ours = await transcribe(path, join(folder, "data"));
  const again = await recognizeBarely(path);
  const bareSeconds = (bare.seconds + again.seconds) / 2;
  const bareProcessor = (bare.processorSeconds + again.processorSeconds) / 2;
  const ratio = ours.seconds / bareSeconds;
  const errors = { ours: wordErrors(ours.text, said).percent, bare: wordErrors(bare.text, said).percent };
  const [first, second] = ours.memory;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  report([
    { name: "audio", value: `${audioSeconds.toFixed(0)} s, ${wordsOf(said).length} words, on ${shares} cores` },
    { name: "the bare recognizer", value: `${bareSeconds.toFixed(1)} s, ${bareProcessor.toFixed(1)} s of processor` },
    {
      name: "from the upload to the text",
      value: `${ours.seconds.toFixed(1)} s (${ours.recognizingSeconds.toFixed(1)} s recognizing), ${ours.processorSeconds.toFixed(1)} s of processor`,
    },
    {
      name: "from the upload to the text, against the bare recognizer",
      value: `${ratio.toFixed(2)} times`,
      limit: `${timeLimit} times`,
      ok: ratio <= timeLimit,
    },
    {
      name: "memory of all processes in the second half of the time, against the first",
      value: `${(second / first).toFixed(2)} times, ${megabytes(second)}`,
      limit: `${memoryLimit} times`,
      ok: second <= memoryLimit * first,
    },
    {
      name: "word errors beyond those of the bare recognizer",
      value: `${(errors.ours - errors.bare).toFixed(1)} %, ${errors.ours.toFixed(1)} % in all`,
      limit: `${errorLimit} %`,
      ok: errors.ours - errors.bare <= errorLimit,
    },
  ]);
} finally {
  await rm(folder, { recursive: true, force: true });
}
