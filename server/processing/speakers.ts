import type { FileHandle } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { Segment } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { finishedPieces } from "#server/jobs/piece-queries.ts";
import { type KnownVoice, pcmRate } from "#server/speech/index.ts";
import { parseSegments } from "#server/transcription/segments-json.ts";

/** A sample of a voice has this length at least and at most (seconds): shorter ones don't tell people apart. */
const shortestSample = 2;
const longestSample = 10;

interface Stretch {
  start: number;
  end: number;
}

const lengthOf = ({ start, end }: Stretch) => end - start;

/**
 * The people who were heard in the pieces before, each with a sample of the voice: so that a speaker keeps one number through all of an
 * audio although the engine hears it in pieces.
 * @param pcm the decoded audio
 */
export async function knownVoices(db: Db, transcriptionId: string, pcm: FileHandle): Promise<KnownVoice[]> {
  const samples = [...longestOf(await spokenBefore(db, transcriptionId))].filter(
    ([, stretch]) => lengthOf(stretch) >= shortestSample,
  );
  return Promise.all(
    samples.map(async ([name, { start, end }]) => {
      const seconds = Math.min(end - start, longestSample);
      const sample = Buffer.alloc(Math.floor(seconds * pcmRate) * 2);
      const { bytesRead } = await pcm.read(sample, 0, sample.length, Math.floor(start * pcmRate) * 2);
      return { name, pcm: sample.subarray(0, bytesRead) };
    }),
  );
}

/** What was heard in the finished pieces. Each is half a minute of speech: between them others have their turn. */
async function spokenBefore(db: Db, transcriptionId: string): Promise<Segment[]> {
  const spoken: Segment[][] = [];
  for (const piece of await finishedPieces(db, transcriptionId)) {
    spoken.push(parseSegments(piece));
    await setImmediate();
  }
  return spoken.flat();
}

/** Each speaker's longest stretch without a break. */
function longestOf(segments: readonly Segment[]): Map<string, Stretch> {
  const longest = new Map<string, Stretch>();
  for (const { speaker, start, end } of segments) {
    if (speaker === undefined) continue;
    const known = longest.get(speaker);
    if (known === undefined || end - start > lengthOf(known)) longest.set(speaker, { start, end });
  }
  return longest;
}

/**
 * Gives whoever was not known before the next number; without speakers asked for, nobody has one.
 * @param taken the numbers that are given already
 */
export function numbered(segments: readonly Segment[], known: readonly KnownVoice[] | undefined, taken: Set<string>): Segment[] {
  const names = new Map((known ?? []).map(({ name }) => [name, name]));
  const nameOf = (label: string): string => {
    const name = names.get(label) ?? String(Math.max(0, ...[...taken].map(Number)) + 1);
    names.set(label, name);
    taken.add(name);
    return name;
  };
  return segments.map(({ speaker, ...segment }) =>
    speaker === undefined || known === undefined ? segment : { ...segment, speaker: nameOf(speaker) },
  );
}

/** The numbers that speakers have in the pieces before. */
export async function takenNumbers(db: Db, transcriptionId: string): Promise<Set<string>> {
  const segments = await spokenBefore(db, transcriptionId);
  return new Set(segments.flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker])));
}
