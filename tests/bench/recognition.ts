// Measures a model's recognition of voices from a file, with one thread and with two: seconds of work per second of
// audio, processor time, memory and word errors. It measures the built-in model, or another one of the data folder:
// SPEECH_MODEL=<id> npm run bench -- recognition
import { readFile } from "node:fs/promises";
import { readConfig } from "#server/config/config.ts";
import { builtInModel, onlyBuiltIn } from "#server/models/built-in.ts";
import { modelCatalogue } from "#server/models/catalogue-data.ts";
import { modelFolders } from "#server/models/folders.ts";
import type { InstalledModel } from "#server/models/model.ts";
import { scanModels } from "#server/models/scan.ts";
import { wavHeader } from "#server/speech/index.ts";
import type { EngineChild } from "#server/speech/process/child.ts";
import { SherpaEngine } from "#server/speech/sherpa/engine.ts";
import { openSilero } from "#server/speech/silero/silero.ts";
import { trialPcm, trialText } from "#server/speech/trial.ts";
import { ModelMemory } from "#server/threads/memory.ts";
import { pcmRate } from "#speech/bytes.ts";
import { wordErrors } from "#speech/word-errors.ts";
import { harborText, talkSentences } from "#tests/fixtures/audio/texts.ts";
import { austenPcm, austenText } from "#tests/fixtures/voices/austen.ts";
import { type Figure, report } from "./figures.ts";
import { processorSeconds } from "./process-tree.ts";

/** The allowed errors in the 22 words of the real voice. */
const errorLimit = 1;

interface Recording {
  pcm: Buffer;
  text: string;
}

/** Two real voices, and flite's voice, which is clear but unlike the voices from which models have learned. */
const voices: { name: string; recordings: Recording[]; limit?: number }[] = [
  { name: "a real voice (jfk.wav)", recordings: [{ pcm: await trialPcm(), text: trialText }], limit: errorLimit },
  { name: "a real voice (austen.flac)", recordings: [{ pcm: await austenPcm(), text: austenText }] },
  {
    name: "a synthetic voice (flite)",
    recordings: [
      { pcm: await fixture("talk"), text: talkSentences.join(" ") },
      { pcm: await fixture("harbor"), text: harborText },
    ],
  },
];

async function fixture(name: string): Promise<Buffer> {
  return (await readFile(new URL(`../fixtures/audio/${name}.wav`, import.meta.url))).subarray(wavHeader(0).length);
}

async function wantedModel(): Promise<InstalledModel> {
  const { dataDir, speech } = readConfig(process.env);
  if (speech.model === undefined) return builtInModel;
  const found = await scanModels(modelFolders(dataDir), new Map(modelCatalogue.map((entry) => [entry.id, entry])));
  const model = found.find(({ id }) => id === speech.model)?.model;
  if (model?.purpose !== "hearing" || !model.languages.includes("en"))
    throw new Error(`There is no model ${speech.model} that knows English in ${dataDir}.`);
  return model;
}

/** The peak memory of a process, in bytes. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

async function measure(model: InstalledModel, threads: number): Promise<Figure[]> {
  const memory = new ModelMemory<EngineChild>({ refuse: (why) => new Error(why) });
  // One process, with as many threads as available.
  const asMeasured = { ...model, speed: { factor: 1, threads, at: "" } };
  const activity = openSilero({ parallel: 1 });
  const engine = new SherpaEngine(asMeasured, { memory, threads, activity, hold: onlyBuiltIn.hold });
  try {
    const begin = performance.now();
    await engine.load();
    const loadSeconds = (performance.now() - begin) / 1000;
    const pid = memory.children[0]?.pid;
    if (pid === undefined) throw new Error(engine.unavailable ?? "The model was not loaded.");
    // The first recognition takes longer than all others.
    await engine.transcribe((await trialPcm()).subarray(0, 2 * pcmRate * 2), { language: "en" });
    const figures: Figure[] = [];
    for (const { name, recordings, limit } of voices) {
      let [bytes, errors, words] = [0, 0, 0];
      const before = { time: performance.now(), processor: await processorSeconds(pid) };
      const texts: string[] = [];
      for (const { pcm } of recordings) {
        bytes += pcm.length;
        texts.push((await engine.transcribe(pcm, { language: "en" })).map((segment) => segment.text).join(" "));
      }
      const audioSeconds = bytes / (pcmRate * 2);
      const factor = (performance.now() - before.time) / 1000 / audioSeconds;
      const processor = ((await processorSeconds(pid)) - before.processor) / audioSeconds;
      for (const [at, { text }] of recordings.entries()) {
        const compared = wordErrors(texts[at] ?? "", text);
        errors += compared.errors;
        words += compared.words;
      }
      figures.push({
        name: `${name}, work and processor time for a second of sound, of ${audioSeconds.toFixed(0)} s`,
        value: `${factor.toFixed(3)} s, ${processor.toFixed(3)} s`,
      });
      const isKept = limit === undefined || errors <= limit;
      const wrong = { name: `${name}, wrong words`, value: `${errors} of ${words}`, ok: isKept };
      figures.push(limit === undefined ? wrong : { ...wrong, limit: String(limit) });
    }
    figures.push({
      name: "memory of its process at most; loaded within",
      value: `${((await peakMemory(pid)) / 1e6).toFixed(0)} MB; ${loadSeconds.toFixed(2)} s`,
    });
    return figures.map((figure) => ({ ...figure, name: `${threads === 1 ? "one thread" : "two threads"}: ${figure.name}` }));
  } finally {
    await Promise.all([memory.close(), activity.close()]);
  }
}

const model = await wantedModel();
report([{ name: "model", value: model.id }, ...(await measure(model, 1)), ...(await measure(model, 2))]);
