import { readdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import type { ModelKind } from "#contract/index.ts";
import { recognize } from "#server/models/recognize.ts";
import { ModelTrialError } from "#server/models/trial.ts";
import { pcmRate } from "#speech/bytes.ts";
import { PieceCutter } from "#speech/cut.ts";
import { voiceIn } from "#speech/voice.ts";
import { type WordErrors, wordErrors } from "#speech/word-errors.ts";
import { decodeToPcm } from "./decode.ts";
import { languageFor, loadCandidate, measureSpeed, recognizeTimed, trialPcm, trialText } from "./trial.ts";

export interface MeasureOptions {
  /** Any recording. Default: the trial recording, whose words are known. */
  audio?: string;
  /** The words that are spoken in the recording. */
  reference?: string;
  /** A speech language of the contract. Default: English, or the model's own. */
  language?: string;
  /** Default: detected from the model's files. */
  kind?: ModelKind;
  threads?: number;
}

export interface Measurement {
  kind: ModelKind;
  text: string;
  /** Undefined without a reference. */
  errors: WordErrors | undefined;
  audioSeconds: number;
  loadSeconds: number;
  /** Seconds of processing per second of audio. */
  factor: number;
  threads: number;
}

/**
 * Runs a model on a recording and measures its speed, for `npm run models -- try`. @throws ModelTrialError; AudioError
 */
export async function measureModel(folder: string, options: MeasureOptions = {}): Promise<Measurement> {
  const { threads = availableParallelism() } = options;
  const recognized = recognize(basename(folder), await readdir(folder));
  const languages = typeof recognized === "string" ? [] : recognized.languages;
  const kind = options.kind ?? (typeof recognized === "string" ? undefined : recognized.kind);
  if (kind === undefined) throw new ModelTrialError("wrongKind", `${folder} is not a known model: ${recognized}.`);
  const reference = options.audio === undefined ? trialText : options.reference;
  const pcm = options.audio === undefined ? await trialPcm() : await decoded(options.audio);
  const started = performance.now();
  const child = await loadCandidate({ folder, kind }, { threads });
  try {
    const loadSeconds = (performance.now() - started) / 1000;
    const language = options.language ?? languageFor({ languages });
    const texts: string[] = [];
    let [work, audioSeconds] = [0, 0];
    for (const part of partsOf(pcm)) {
      const seconds = part.length / 2 / pcmRate;
      const { text, factor } = await (texts.length === 0 ? measureSpeed : recognizeTimed)(child, part, language);
      texts.push(text);
      work += factor * seconds;
      audioSeconds += seconds;
    }
    const text = texts.filter((one) => one !== "").join(" ");
    const errors = reference === undefined ? undefined : wordErrors(text, reference);
    return { kind, text, errors, audioSeconds, loadSeconds, factor: audioSeconds === 0 ? 0 : work / audioSeconds, threads };
  } finally {
    await child.close();
  }
}

/** The measurement as lines of text. */
export function describeMeasurement({ kind, text, errors, audioSeconds, loadSeconds, factor, threads }: Measurement): string[] {
  return [
    text,
    ...(errors === undefined ? [] : [`${errors.errors} of ${errors.words} words wrong (${errors.percent.toFixed(1)} %)`]),
    `${factor.toFixed(3)} s of work per second of audio with ${threads} thread(s), on ${audioSeconds.toFixed(1)} s; loaded in ${loadSeconds.toFixed(1)} s (${kind})`,
  ];
}

/** The parts with a voice, cut at pauses as for files, and short enough for every kind of model. */
function partsOf(pcm: Uint8Array): Uint8Array[] {
  const cutter = new PieceCutter({ shortest: 10, wanted: 28, longest: 28 });
  const pieces = [...cutter.push(pcm), ...cutter.finish()];
  return pieces.flatMap(({ startSample, endSample }) => voiceIn(pcm.subarray(startSample * 2, endSample * 2))?.pcm ?? []);
}

async function decoded(path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await decodeToPcm(path, { onPcm: (chunk) => void chunks.push(Buffer.from(chunk)) });
  return Buffer.concat(chunks);
}
