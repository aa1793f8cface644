import type { FileHandle } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { Segment } from "#contract/index.ts";
import { largest } from "#contract/lists.ts";
import type { Db } from "#server/db/open.ts";
import { finishedPieces } from "#server/jobs/piece-queries.ts";
import type { KnownVoice } from "#server/speech/index.ts";
import { parseSegments } from "#server/transcription/segments-json.ts";
import { pcmRate } from "#speech/bytes.ts";

/** Shortest and longest sample of a voice (seconds): shorter ones don't distinguish speakers. */
const shortestSample = 2;
const longestSample = 10;

interface Stretch {
  start: number;
  end: number;
}

const lengthOf = ({ start, end }: Stretch) => end - start;

/**
 * The speakers of the previous pieces, each with a voice sample, so that a speaker keeps one number throughout the
 * audio although the engine processes it in pieces.
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

/**
 * The segments of the finished pieces. Yields to the event loop between pieces, each of which is half a minute of
 * speech.
 */
async function spokenBefore(db: Db, transcriptionId: string): Promise<Segment[]> {
  const spoken: Segment[][] = [];
  for (const piece of await finishedPieces(db, transcriptionId)) {
    spoken.push(parseSegments(piece));
    await setImmediate();
  }
  return spoken.flat();
}

/** Each speaker's longest uninterrupted stretch. */
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
 * Gives each new speaker the next number; removes speakers where they were not requested.
 * @param taken the numbers already in use
 */
export function numbered(segments: readonly Segment[], known: readonly KnownVoice[] | undefined, taken: Set<string>): Segment[] {
  const names = new Map((known ?? []).map(({ name }) => [name, name]));
  const nameOf = (label: string): string => {
    const name = names.get(label) ?? String(Math.max(0, largest([...taken].map(Number))) + 1);
    names.set(label, name);
    taken.add(name);
    return name;
  };
  return segments.map(({ speaker, ...segment }) =>
    speaker === undefined || known === undefined ? segment : { ...segment, speaker: nameOf(speaker) },
  );
}

/** The speaker numbers used in the preceding pieces. */
export async function takenNumbers(db: Db, transcriptionId: string): Promise<Set<string>> {
  const segments = await spokenBefore(db, transcriptionId);
  return new Set(segments.flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker])));
}
