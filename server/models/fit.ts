import type { AdminModel, MeasuredSpeed, ModelPurpose } from "#contract/index.ts";
import { reserveBytes } from "./space.ts";

/** The resources of a machine. */
export interface Machine {
  cores: number;
  memoryBytes: number;
  freeMemoryBytes: number;
  freeDiskBytes: number;
}

/** The properties of a model that decide. */
export interface Candidate {
  id: string;
  purpose: ModelPurpose;
  languages: readonly string[];
  downloadBytes: number | null;
  diskBytes: number;
  memoryBytes: number;
  isInstalled: boolean;
  /** Published: percent of words, and of which test. */
  wordErrors: { percent: number; on: string } | undefined;
  publishedSpeed: string | undefined;
  measuredSpeed: MeasuredSpeed | undefined;
}

/** The part of a machine's memory that one model may take: the server, its database and the system need the rest. */
const memoryShare = 0.75;
/**
 * Seconds of work per second of audio up to which a model is fast enough for live speech: the rest is for the server
 * itself.
 */
const quickEnough = 0.9;

/** Whether a model is fast enough for live speech. @param factor seconds of work per second of audio */
export const keepsUpWithSpeech = (factor: number): boolean => factor <= quickEnough;
/** Roughly, of a model of 1 GB on one core, where nothing was published and nothing measured. */
const factorPerGigabyte = 3;

/** The resources of which this machine has too little. */
export function lacksOf(
  {
    memoryBytes,
    diskBytes,
    downloadBytes,
    isInstalled,
  }: Pick<Candidate, "memoryBytes" | "diskBytes" | "downloadBytes" | "isInstalled">,
  machine: Machine,
): AdminModel["lacks"] {
  const lacks: AdminModel["lacks"] = [];
  if (memoryBytes > machine.memoryBytes * memoryShare) lacks.push("memory");
  // While it is unpacked, it exists twice.
  if (!isInstalled && (downloadBytes ?? diskBytes) + diskBytes + reserveBytes > machine.freeDiskBytes) lacks.push("disk");
  return lacks;
}

/**
 * Seconds of work per second of audio on this machine: measured; else published, for as many cores; else estimated by
 * size. Figures for a Raspberry Pi say little about other machines.
 */
export function speedOn({ measuredSpeed, publishedSpeed = "", diskBytes }: Candidate, { cores }: Machine): number {
  if (measuredSpeed !== undefined) return measuredSpeed.factor;
  const [, factor, threads] = /^([\d.]+) \((\d+) threads?[,)]/.exec(publishedSpeed) ?? [];
  if (factor !== undefined && !/Raspberry/.test(publishedSpeed)) {
    return (Number(factor) * Number(threads)) / Math.min(cores, Number(threads) * 2);
  }
  return ((diskBytes / 1e9) * factorPerGigabyte) / cores;
}

/**
 * For each model, the languages for which it is recommended, among those that fit on this machine. For recognition: the
 * one with the fewest published word errors that is fast enough (of equal ones the fastest), else the fastest. For
 * anything else: the smallest.
 * @returns sorted languages by the model's id; models without any are left out
 */
export function recommend(candidates: readonly Candidate[], machine: Machine): Map<string, string[]> {
  const fitting = candidates.filter((candidate) => lacksOf(candidate, machine).length === 0);
  const recommended = new Map<string, string[]>();
  for (const purpose of new Set(fitting.map((candidate) => candidate.purpose))) {
    const own = fitting.filter((candidate) => candidate.purpose === purpose);
    if (purpose === "translation") {
      for (const { id, languages } of own) recommended.set(id, [...languages].sort());
      continue;
    }
    for (const language of [...new Set(own.flatMap(({ languages }) => languages))].sort()) {
      const able = own.filter(({ languages }) => languages.includes(language));
      const best = purpose === "hearing" ? bestRecognizer(able, machine) : smallest(able);
      if (best !== undefined) recommended.set(best.id, [...(recommended.get(best.id) ?? []), language]);
    }
  }
  return recommended;
}

/** Figures of one test that differ by less are as good (percent of words). */
const asGood = 0.5;

function bestRecognizer(able: readonly Candidate[], machine: Machine): Candidate | undefined {
  const quick = able.filter((candidate) => keepsUpWithSpeech(speedOn(candidate, machine)));
  // Figures of different tests can't be compared: each test has its best.
  const fewest = new Map<string, number>();
  for (const { wordErrors } of quick) {
    if (wordErrors === undefined) continue;
    fewest.set(wordErrors.on, Math.min(fewest.get(wordErrors.on) ?? Number.POSITIVE_INFINITY, wordErrors.percent));
  }
  const best = quick.filter(
    ({ wordErrors }) => wordErrors !== undefined && wordErrors.percent <= (fewest.get(wordErrors.on) ?? 0) + asGood,
  );
  const [from = able] = [best, quick].filter(({ length }) => length > 0);
  return from.toSorted((one, other) => speedOn(one, machine) - speedOn(other, machine))[0];
}

function smallest(able: readonly Candidate[]): Candidate | undefined {
  return able.toSorted((one, other) => one.diskBytes - other.diskBytes)[0];
}
