import { type Span, voiceLimits } from "#contract/index.ts";
import { cosine, type Diarized } from "#server/speech/index.ts";

/**
 * Least cosine between a voice and a profile for a suggestion. sherpa-onnx's own example of speaker identification
 * (nodejs-addon-examples/test_speaker_identification.js: `manager.search` over the mean of several recordings) takes
 * 0.6. Above it, one person's recordings of other days are found; below it, also other people of the same sex and age.
 */
const suggestedFrom = 0.6;

/** Most turns stored for each voice, the longest ones: they decide its label in the transcript. */
const maxSpans = 20;
/** Decimals of stored voice prints: more than the models' precision. */
const decimals = 6;

/** A speaker of a recording. */
interface SpokenVoice {
  /** The diarization's number for the speaker, from 0. */
  idx: number;
  /** A vector of length 1. */
  embedding: number[];
  /** Where the voice is heard. */
  spans: Span[];
}

/** A voice with its label in the transcript. */
export interface LabelledVoice extends SpokenVoice {
  label: string;
}

/** The model and the length of its vectors. Only voice prints with the same value can be compared. */
export const voiceModelOf = (model: string, embedding: readonly number[]): string => `${model}:${embedding.length}`;
/** Whether voice prints come from a model, whatever their length. */
export const isOfModel = (model: string, id: string | undefined): boolean => model.slice(0, model.lastIndexOf(":")) === id;

/** The speakers that a diarization found in a recording, without those heard too briefly. */
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

/** The vector with length 1, rounded; undefined for a zero vector, or one with more numbers than are stored. */
function unitOf(vector: readonly number[]): number[] | undefined {
  const length = Math.sqrt(vector.reduce((sum, part) => sum + part * part, 0));
  if (!Number.isFinite(length) || length < 1e-6 || vector.length > voiceLimits.dimensions) return undefined;
  return vector.map((part) => Number((part / length).toFixed(decimals)));
}

/** The vector plus the others, or minus them (`sign` -1). All have the same length. */
export function added(sum: readonly number[], others: readonly (readonly number[])[], sign: 1 | -1 = 1): number[] {
  return others.reduce<number[]>(
    (total, other) => total.map((part, at) => Number((part + sign * (other[at] ?? 0)).toFixed(decimals))),
    [...sum],
  );
}

type Labelled = Readonly<{ start: number; end: number; speaker?: string | undefined }>;

/** A transcript's label of each voice: the speaker of most of its time; null when that is nobody. */
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
 * The voices that have passages of their own in a diarized transcript. A voice heard only beside others can't be named.
 * @param nameOf the diarization's label of a voice
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

/** A name given by a user; null for a label that is an engine's number. */
export const givenName = (label: string | null): string | null => (label === null || /^\d+$/.test(label) ? null : label);

interface Unnamed {
  label: string | null;
  model: string;
  embedding: readonly number[];
  /** Ids of declined profiles. */
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
 * Suggestions for the unnamed voices of a recording: the most similar first, each voice and each profile at most once.
 * A name that the recording already has is not suggested again.
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

/** The cosine; 0 for a zero sum. */
function likenessOf(embedding: readonly number[], sum: readonly number[]): number {
  const mean = unitOf(sum);
  return mean === undefined ? 0 : cosine(embedding, mean);
}
