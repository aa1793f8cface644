import type { ModelKind } from "#contract/index.ts";
import { type CutLimits, PieceCutter } from "#speech/cut.ts";
import type { UtteranceLimits } from "#speech/utterances.ts";
import type { TranscribeOptions } from "../engine.ts";

/**
 * Limits of parts for models that can't take long audio; parts are cut at pauses (seconds). Whisper ignores audio
 * beyond 29.5 s. Moonshine in two files gives an empty text for more than 384 frames of 384 samples, 9.216 s, in
 * sherpa-onnx 1.13.8 (k2-fsa/sherpa-onnx#3975).
 */
const partLimits: Partial<Record<ModelKind, CutLimits>> = {
  whisper: { shortest: 10, wanted: 28, longest: 28 },
  moonshine: { shortest: 4, wanted: 9, longest: 9 },
};
/** Limits when the audio is also translated: each part becomes one segment with one translation (seconds). */
const translatedParts = { shortest: 4, wanted: 10, longest: 15 };

/** The same for live speech, where it must be shorter than usual. */
export const utteranceLimits: Partial<Record<ModelKind, UtteranceLimits>> = { moonshine: partLimits.moonshine };

interface PartsOptions {
  kind: ModelKind;
  /** Whether it is translated during recognition. */
  translates: boolean;
  cut: TranscribeOptions["cut"];
}

/** The parts of a recording for a model of this kind, in samples; `endSample` is exclusive. */
export function partsOf(pcm: Uint8Array, { kind, translates, cut }: PartsOptions): { startSample: number; endSample: number }[] {
  const usual = translates ? translatedParts : partLimits[kind];
  const limits = cut === "elsewhere" ? shorter(usual ?? translatedParts) : usual;
  if (limits === undefined) return [{ startSample: 0, endSample: pcm.length / 2 }];
  const cutter = new PieceCutter(limits);
  return [...cutter.push(pcm), ...cutter.finish()];
}

/** Two thirds of the usual lengths, so that the cuts are at other pauses. */
function shorter({ shortest, wanted, longest }: CutLimits): CutLimits {
  return { shortest: shortest / 2, wanted: (wanted * 2) / 3, longest: (longest * 2) / 3 };
}
