import type { DeclinedSuggestion, SpeakerSuggestion } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { changeDeclined, listProfiles, listVoices, type Voice } from "./queries.ts";
import { suggested } from "./voice.ts";

type Heard = Voice & { embedding: number[] };
const isHeard = (voice: Voice): voice is Heard => voice.embedding !== null;

/** Suggests names for the unnamed speakers of a user's transcription, by the current profiles. */
export async function suggestionsFor(db: Db, userId: string, transcriptionId: string): Promise<SpeakerSuggestion[]> {
  const voices = await listVoices(db, userId, transcriptionId);
  const model = voices[0]?.model;
  if (model === undefined) return [];
  const names = voices.map(({ label }) => label);
  const profiles = (await listProfiles(db, userId, model)).filter(
    ({ id, name }) => !names.includes(name) && !voices.some(({ profile_id }) => profile_id === id),
  );
  return suggested(voices.filter(isHeard), profiles).map(({ voice, profile }) => ({
    speaker: voice.label ?? "",
    profile: profile.id,
    name: profile.name,
  }));
}

/**
 * Stores that a speaker is not a suggested person. Ignores speakers or profiles that don't exist (any more). Call it in
 * a transaction.
 */
export async function declineSuggestion(
  t: Db,
  userId: string,
  transcriptionId: string,
  { speaker, profile }: DeclinedSuggestion,
): Promise<void> {
  const known = (await listProfiles(t, userId)).map(({ id }) => id);
  for (const voice of await listVoices(t, userId, transcriptionId)) {
    if (voice.label !== speaker) continue;
    // Only ids of existing profiles are kept, so that the list stays bounded.
    const declined = known.filter((id) => id === profile || voice.declined.includes(id));
    await changeDeclined(t, voice, declined);
  }
}
