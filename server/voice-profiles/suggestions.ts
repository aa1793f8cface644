import type { DeclinedSuggestion, SpeakerSuggestion } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { changeDeclined, listProfiles, listVoices, type Voice } from "./queries.ts";
import { suggested } from "./voice.ts";

type Heard = Voice & { embedding: number[] };
const isHeard = (voice: Voice): voice is Heard => voice.embedding !== null;

/** Who the unnamed speakers of a person's transcription may be, by the profiles of this moment. */
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

/** Remembers that a speaker is somebody else; nothing for a speaker or a profile that is not there (any more). Call it in a transaction. */
export async function declineSuggestion(
  t: Db,
  userId: string,
  transcriptionId: string,
  { speaker, profile }: DeclinedSuggestion,
): Promise<void> {
  const known = (await listProfiles(t, userId)).map(({ id }) => id);
  for (const voice of await listVoices(t, userId, transcriptionId)) {
    if (voice.label !== speaker) continue;
    // No more than there are profiles: those that were deleted need no answer any more.
    const declined = known.filter((id) => id === profile || voice.declined.includes(id));
    await changeDeclined(t, voice, declined);
  }
}
