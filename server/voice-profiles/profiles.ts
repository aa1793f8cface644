import { voiceLimits } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import {
  changeProfile,
  countProfiles,
  deleteProfile,
  deleteVoices,
  findProfile,
  findProfileNamed,
  insertProfile,
  insertVoice,
  isConsenting,
  listVoices,
  recordingsOf,
  type Voice,
} from "./queries.ts";
import { added, givenName, type LabelledVoice, voiceModelOf } from "./voice.ts";

// A profile is the sum of the voice prints of its recordings. Each voice remembers which profile it is part of, so that it can be taken out
// of it again: when a name is changed or undone, another number of speakers is found, or the recording moves into the vault.

interface Moment {
  /** Epoch ms. */
  at: number;
}

interface Recording {
  userId: string;
  transcriptionId: string;
}

/**
 * Keeps the voices that a diarization has found, instead of those that it found before; nothing for somebody who has not agreed. Names
 * that a person has given are (still) part of their profiles, and what was declined stays declined. Call it in a transaction.
 * @param model the embedding model's id
 */
export async function keepVoices(
  t: Db,
  recording: Recording & Moment,
  { model, voices }: { model: string; voices: readonly LabelledVoice[] },
): Promise<void> {
  const { userId, transcriptionId } = recording;
  if (!(await isConsenting(t, userId))) return;
  const before = await listVoices(t, userId, transcriptionId);
  const after: Voice[] = [];
  for (const { idx, embedding, spans, label } of voices) {
    const row: Voice = {
      transcription_id: transcriptionId,
      idx,
      user_id: userId,
      model: voiceModelOf(model, embedding),
      embedding,
      spans,
      label,
      profile_id: null,
      named: null,
      declined: [...new Set(before.flatMap((voice) => (speaksWith(voice, spans) ? voice.declined : [])))],
    };
    const known = before.find(({ named }) => named !== null && named === givenName(label));
    // Its profile was deleted: its voice is not learned again because another number of speakers was wished for.
    if (known?.embedding === null) after.push({ ...row, embedding: null, named: known.named });
    else after.push(await withName(t, recording, row, known));
  }
  await replaceVoices(t, recording, before, after);
}

/**
 * The names in a transcript have changed: its voices become part of other profiles. Call it in a transaction.
 * @param labels what the transcript calls the voices now, by their number
 */
export async function relabelVoices(
  t: Db,
  recording: Recording & Moment,
  labels: ReadonlyMap<number, string | null>,
): Promise<void> {
  const before = await listVoices(t, recording.userId, recording.transcriptionId);
  const after: Voice[] = [];
  for (const voice of before) {
    const label = labels.has(voice.idx) ? (labels.get(voice.idx) ?? null) : voice.label;
    after.push(voice.embedding === null ? { ...voice, label } : await withName(t, recording, { ...voice, label }, voice));
  }
  await replaceVoices(t, recording, before, after);
}

/** The voices of a recording that becomes encrypted: they are in no profile any more, and gone. Call it in a transaction. */
export async function eraseVoices(t: Db, recording: Recording): Promise<void> {
  await replaceVoices(t, recording, await listVoices(t, recording.userId, recording.transcriptionId), []);
}

/** How much of two voices is heard at the same time decides whether they are one: more than half of the shorter. */
function speaksWith({ spans }: Voice, others: Voice["spans"]): boolean {
  const lengthOf = (all: Voice["spans"]) => all.reduce((sum, [start, end]) => sum + end - start, 0);
  const both = spans.flatMap(([start, end]) =>
    others.map(([from, to]) => Math.max(0, Math.min(end, to) - Math.max(start, from))),
  );
  return both.reduce((sum, seconds) => sum + seconds, 0) > Math.min(lengthOf(spans), lengthOf(others)) / 2;
}

/**
 * The voice as part of the profile that its label names; a new profile where there is none, unless the account has as many as it may.
 * @param known which profile it, or the voice that it replaces, is part of: it stays even if the profile was renamed since
 */
async function withName(t: Db, { userId, at }: Recording & Moment, voice: Voice, known: Voice | undefined): Promise<Voice> {
  const name = givenName(voice.label);
  if (name === null || voice.embedding === null) return { ...voice, profile_id: null, named: null };
  if (known?.named === name && known.model === voice.model) return { ...voice, profile_id: known.profile_id, named: name };
  const profile =
    (await findProfileNamed(t, userId, voice.model, name)) ??
    ((await countProfiles(t, userId)) < voiceLimits.profiles
      ? await insertProfile(t, { userId, name, model: voice.model, dimensions: voice.embedding.length, at })
      : undefined);
  return profile === undefined ? { ...voice, profile_id: null, named: null } : { ...voice, profile_id: profile.id, named: name };
}

/** Puts the voices of a recording as they are in the place of those that were, in the profiles as well. */
async function replaceVoices(t: Db, recording: Recording, before: readonly Voice[], after: readonly Voice[]): Promise<void> {
  const profiles = new Set([...before, ...after].flatMap(({ profile_id }) => profile_id ?? []));
  for (const id of profiles) await exchange(t, recording.userId, id, partsOf(before, id), partsOf(after, id));
  await deleteVoices(t, recording.transcriptionId);
  for (const voice of after) await insertVoice(t, voice);
  for (const id of profiles) await dateProfile(t, recording.userId, id);
}

function partsOf(voices: readonly Voice[], profile: string): number[][] {
  return voices.flatMap(({ profile_id, embedding }) => (profile_id === profile && embedding !== null ? [embedding] : []));
}

/** Takes the voice prints of one recording out of a profile and adds others of it; a profile of no recording goes. */
async function exchange(t: Db, userId: string, id: string, taken: number[][], given: number[][]): Promise<void> {
  const profile = await findProfile(t, userId, id);
  if (profile === undefined || JSON.stringify(taken) === JSON.stringify(given)) return;
  const recordings = profile.recordings + Math.sign(given.length) - Math.sign(taken.length);
  if (recordings < 1) await deleteProfile(t, id);
  else await changeProfile(t, { ...profile, sum: added(added(profile.sum, taken, -1), given), recordings });
}

/** A profile was heard last in the latest of its recordings; those that were deleted are known by the date alone. */
async function dateProfile(t: Db, userId: string, id: string): Promise<void> {
  const profile = await findProfile(t, userId, id);
  if (profile === undefined) return;
  const { count, latest } = await recordingsOf(t, id);
  const heardAt = count < profile.recordings ? Math.max(profile.heard_at, latest) : latest;
  if (heardAt !== profile.heard_at) await changeProfile(t, { ...profile, heard_at: heardAt });
}
