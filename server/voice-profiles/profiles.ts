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

// A profile is the sum of the voice prints of its recordings. Each voice stores the profile that it belongs to, so that
// it can be removed again: when a name is changed or undone, another number of speakers is found, or the recording
// moves into the vault.

interface Moment {
  /** Epoch ms. */
  at: number;
}

interface Recording {
  userId: string;
  transcriptionId: string;
}

/**
 * Stores the voices found by a diarization, in place of those found before. Does nothing without the user's consent.
 * Voices with names given by the user stay in their profiles, and declined suggestions stay declined. Call it in a
 * transaction.
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
    // The profile was deleted. A new diarization with another number of speakers must not learn the voice again.
    if (known?.embedding === null) after.push({ ...row, embedding: null, named: known.named });
    else after.push(await withName(t, recording, row, known));
  }
  await replaceVoices(t, recording, before, after);
}

/**
 * Moves voices to other profiles after names in a transcript have changed. Call it in a transaction.
 * @param labels the transcript's current labels of the voices, by their number
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

/** Deletes the voices of a recording that becomes encrypted, also from their profiles. Call it in a transaction. */
export async function eraseVoices(t: Db, recording: Recording): Promise<void> {
  await replaceVoices(t, recording, await listVoices(t, recording.userId, recording.transcriptionId), []);
}

/** Whether two voices are the same: more than half of the shorter overlaps with the other. */
function speaksWith({ spans }: Voice, others: Voice["spans"]): boolean {
  const lengthOf = (all: Voice["spans"]) => all.reduce((sum, [start, end]) => sum + end - start, 0);
  const both = spans.flatMap(([start, end]) =>
    others.map(([from, to]) => Math.max(0, Math.min(end, to) - Math.max(start, from))),
  );
  return both.reduce((sum, seconds) => sum + seconds, 0) > Math.min(lengthOf(spans), lengthOf(others)) / 2;
}

/**
 * Adds the voice to the profile named by its label. Makes a new profile if needed, unless the account has the maximum.
 * @param known the voice that it replaces, or its former state: it stays in that profile, even if the profile was
 *   renamed since
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

/** Replaces the voices of a recording, also in their profiles. */
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

/**
 * Removes the voice prints of one recording from a profile and adds others of it. A profile without recordings is
 * deleted.
 */
async function exchange(t: Db, userId: string, id: string, taken: number[][], given: number[][]): Promise<void> {
  const profile = await findProfile(t, userId, id);
  if (profile === undefined || JSON.stringify(taken) === JSON.stringify(given)) return;
  const recordings = profile.recordings + Math.sign(given.length) - Math.sign(taken.length);
  if (recordings < 1) await deleteProfile(t, id);
  else await changeProfile(t, { ...profile, sum: added(added(profile.sum, taken, -1), given), recordings });
}

/**
 * Updates when a profile was last heard: the date of its latest recording. For deleted recordings, only the stored date
 * is known.
 */
async function dateProfile(t: Db, userId: string, id: string): Promise<void> {
  const profile = await findProfile(t, userId, id);
  if (profile === undefined) return;
  const { count, latest } = await recordingsOf(t, id);
  const heardAt = count < profile.recordings ? Math.max(profile.heard_at, latest) : latest;
  if (heardAt !== profile.heard_at) await changeProfile(t, { ...profile, heard_at: heardAt });
}
