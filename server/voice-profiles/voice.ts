import { type Span, voiceLimits } from "#contract/index.ts";
import { cosine, type Diarized } from "#server/speech/index.ts";

/**
 * A voice is suggested to be a profile's when the cosine of the two is at least this. sherpa-onnx's own example of speaker identification
 * (nodejs-addon-examples/test_speaker_identification.js: `manager.search` over the mean of several recordings) takes 0.6; above it one
 * person's recordings of other days are found, below it people of the same sex and age begin to be.
 */
const suggestedFrom = 0.6;

/** Of each voice, at most this many of its longest turns are remembered: they decide what the transcript calls it. */
const maxSpans = 20;
/** Voice prints are kept with this many decimals: more than the models mean. */
const decimals = 6;

/** A speaker of a recording. */
interface SpokenVoice {
  /** The number that the diarization gave it, from 0. */
  idx: number;
  /** With the length 1. */
  embedding: number[];
  /** Where it is heard. */
  spans: Span[];
}

/** A voice, and what the transcript calls it. */
export interface LabelledVoice extends SpokenVoice {
  label: string;
}

/** The model and the length of its vectors: only voice prints for which this is the same can be compared. */
export const voiceModelOf = (model: string, embedding: readonly number[]): string => `${model}:${embedding.length}`;
/** Whether voice prints come from a model, however long they are. */
export const isOfModel = (model: string, id: string | undefined): boolean => model.slice(0, model.lastIndexOf(":")) === id;

/** What was found out about a recording's speakers; nobody of whom too little was heard. */
function spokenVoices({ turns, voices }: Diarized): SpokenVoice[] {
  return voices.flatMap((voice, idx) => {
    const spans = turns
      .filter(({ speaker }) => speaker === idx)
      .sort((one, other) => other.end - other.start - (one.end - one.start))
      .slice(0, maxSpans)
      .map(({ start, end }): Span => [start, end]);
    const embedding = unitOf(voice);
    return embedding === undefined || spans.length === 0 ? [] : [{ idx, embedding, spans }];
  });
}

/** With the length 1, rounded; undefined for one that has no direction, or more numbers than are kept. */
function unitOf(vector: readonly number[]): number[] | undefined {
  const length = Math.sqrt(vector.reduce((sum, part) => sum + part * part, 0));
  if (!Number.isFinite(length) || length < 1e-6 || vector.length > voiceLimits.dimensions) return undefined;
  return vector.map((part) => Number((part / length).toFixed(decimals)));
}

/** The first vector with the others added, or taken away (`sign` -1). All are of the same length. */
export function added(sum: readonly number[], others: readonly (readonly number[])[], sign: 1 | -1 = 1): number[] {
  return others.reduce<number[]>(
    (total, other) => total.map((part, at) => Number((part + sign * (other[at] ?? 0)).toFixed(decimals))),
    [...sum],
  );
}

type Labelled = Readonly<{ start: number; end: number; speaker?: string | undefined }>;

/** What a transcript calls each voice: the speaker of most of the time in which it is heard; null where that is nobody. */
export function labelsOf(segments: readonly Labelled[], voices: readonly (readonly Span[])[]): (string | null)[] {
  const shares = voices.map(() => new Map<string | null, number>());
  for (const { start, end, speaker } of segments) {
    for (const [at, spans] of voices.entries()) {
      const seconds = spans.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)), 0);
      const share = shares[at];
      if (seconds > 0) share?.set(speaker ?? null, (share.get(speaker ?? null) ?? 0) + seconds);
    }
  }
  return shares.map((share) => [...share].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null);
}

/**
 * The voices that a diarized transcript has passages of: who is heard beside others alone can't be named there.
 * @param nameOf what the diarization calls a voice
 */
export function voicesIn(
  segments: readonly Labelled[],
  found: Diarized,
  nameOf: (idx: number) => string = (idx) => String(idx + 1),
): LabelledVoice[] {
  const heard = spokenVoices(found);
  const labels = labelsOf(
    segments,
    heard.map(({ spans }) => spans),
  );
  return heard.flatMap((voice, at) => (labels[at] === nameOf(voice.idx) ? [{ ...voice, label: nameOf(voice.idx) }] : []));
}

/** A name that a person has given: engines only number the speakers. */
export const givenName = (label: string | null): string | null => (label === null || /^\d+$/.test(label) ? null : label);

interface Unnamed {
  label: string | null;
  model: string;
  embedding: readonly number[];
  /** Ids of profiles. */
  declined: readonly string[];
}
interface Known {
  id: string;
  name: string;
  model: string;
  sum: readonly number[];
}
export interface Suggested<Voice> {
  voice: Voice;
  profile: Known;
}

/**
 * Who the unnamed voices of a recording may be: the most alike first, each voice and each profile at most once. A name that
 * the recording has already is not suggested once more.
 */
export function suggested<Voice extends Unnamed>(voices: readonly Voice[], profiles: readonly Known[]): Suggested<Voice>[] {
  const names = new Set(voices.map(({ label }) => label));
  const unnamed = voices.filter(({ label }) => label !== null && givenName(label) === null);
  const pairs = unnamed.flatMap((voice) =>
    profiles
      .filter(({ id, name, model }) => model === voice.model && !names.has(name) && !voice.declined.includes(id))
      .map((profile) => ({ voice, profile, likeness: likenessOf(voice.embedding, profile.sum) })),
  );
  const taken = new Set<string | null>();
  const found: Suggested<Voice>[] = [];
  for (const { voice, profile, likeness } of pairs.sort((one, other) => other.likeness - one.likeness)) {
    if (likeness < suggestedFrom || taken.has(voice.label) || found.some((one) => one.profile.id === profile.id)) continue;
    taken.add(voice.label);
    found.push({ voice, profile });
  }
  return found;
}

/** The cosine; that of a sum without a direction is 0. */
function likenessOf(embedding: readonly number[], sum: readonly number[]): number {
  const mean = unitOf(sum);
  return mean === undefined ? 0 : cosine(embedding, mean);
}
