import { maxSpeakers } from "#contract/index.ts";
import { append } from "#contract/lists.ts";
import type { WindowTurns } from "./protocol.ts";

/** One speaker's turn: `speaker` counts from 0 in the order of first speaking; times in seconds. */
export interface SpeakerTurn {
  start: number;
  end: number;
  speaker: number;
}

export interface Diarized {
  /** By time. */
  turns: SpeakerTurn[];
  /** Voice of each speaker: a unit vector at the speaker's number. */
  voices: number[][];
}

/**
 * Two windows' voices belong to one person when the cosine of their vectors is at least this. It equals sherpa-onnx's
 * default distance of 0.5.
 */
const alike = 0.5;

interface Cluster {
  /** Sum of its voices, each weighted by its seconds of speech. */
  sum: number[];
  members: string[];
}

const keyOf = (window: number, speaker: number) => `${window}/${speaker}`;

/**
 * Merges the speakers of all windows into those of the whole recording. It joins the two most similar clusters until
 * none are similar enough, or until the wished number is reached.
 * @param wished number of speakers; undefined: as many as sound different, at most `maxSpeakers`
 */
export function joinWindows(windows: readonly WindowTurns[], wished?: number): Diarized {
  const clusters = windows.flatMap((window, at) => clustersOf(window, at));
  const max = wished ?? maxSpeakers;
  while (clusters.length > 1) {
    const { first, second, likeness } = mostAlike(clusters);
    // Within one window the model has already decided, unless there are too many speakers.
    const isWanted = clusters.length > max || (wished === undefined && windows.length > 1 && likeness >= alike);
    if (!isWanted) break;
    merge(clusters, first, second);
  }
  return inOrder(windows, clusters);
}

function clustersOf({ turns, voices }: WindowTurns, window: number): Cluster[] {
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))];
  return speakers.map((speaker) => {
    const seconds = turns.reduce((sum, turn) => sum + (turn.speaker === speaker ? turn.end - turn.start : 0), 0);
    return { sum: unit(voices[speaker] ?? []).map((part) => part * seconds), members: [keyOf(window, speaker)] };
  });
}

function mostAlike(clusters: readonly Cluster[]): { first: number; second: number; likeness: number } {
  const directions = clusters.map(({ sum }) => unit(sum));
  let best = { first: 0, second: 1, likeness: Number.NEGATIVE_INFINITY };
  for (const [first, one] of directions.entries()) {
    for (let second = first + 1; second < directions.length; second += 1) {
      const likeness = cosine(one, directions[second] ?? []);
      if (likeness > best.likeness) best = { first, second, likeness };
    }
  }
  return best;
}

function merge(clusters: Cluster[], first: number, second: number): void {
  const [gone] = clusters.splice(second, 1);
  const stays = clusters[first];
  if (gone === undefined || stays === undefined) return;
  append(stays.members, gone.members);
  stays.sum = gone.sum.map((part, at) => part + (stays.sum[at] ?? 0));
}

function inOrder(windows: readonly WindowTurns[], clusters: readonly Cluster[]): Diarized {
  const byMember = new Map(clusters.flatMap((cluster) => cluster.members.map((member) => [member, cluster] as const)));
  const numbers = new Map<Cluster, number>();
  const turns: SpeakerTurn[] = [];
  const all = windows.flatMap(({ turns: own }, at) =>
    own.map((turn) => ({ ...turn, cluster: byMember.get(keyOf(at, turn.speaker)) })),
  );
  for (const { start, end, cluster } of all.toSorted((a, b) => a.start - b.start)) {
    if (cluster === undefined) continue;
    const speaker = numbers.get(cluster) ?? numbers.size;
    numbers.set(cluster, speaker);
    turns.push({ start, end, speaker });
  }
  return { turns, voices: [...numbers.keys()].map(({ sum }) => unit(sum)) };
}

/** The vector with length 1; a zero vector stays unchanged. */
function unit(vector: readonly number[]): number[] {
  const length = Math.sqrt(vector.reduce((sum, part) => sum + part * part, 0));
  return length === 0 ? [...vector] : vector.map((part) => part / length);
}

/** Cosine of two unit vectors: 1 for the same direction, 0 for no similarity. */
export function cosine(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, part, at) => sum + part * (other[at] ?? 0), 0);
}
