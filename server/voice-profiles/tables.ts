declare module "#server/db/schema.ts" {
  interface Schema {
    voice_consents: VoiceConsentTable;
    voice_profiles: VoiceProfileTable;
    voices: VoiceTable;
  }
}

/** Who has agreed that voices are recognised again: no row means that none is kept. */
interface VoiceConsentTable {
  user_id: string;
  /** Epoch ms. */
  since: number;
}

/** What somebody sounds like whom a person has named. */
export interface VoiceProfileTable {
  id: string;
  user_id: string;
  name: string;
  /** What the voice prints come from (voice-profiles/voice.ts): only those of the same can be compared. */
  model: string;
  /** JSON: the sum of the voice prints that it is made of, each with the length 1. */
  sum: string;
  /** How many recordings it is made of. */
  recordings: number;
  /** Epoch ms. */
  created_at: number;
  /** The date of the latest of these recordings, epoch ms. */
  heard_at: number;
}

/** A speaker of a diarized transcription. */
export interface VoiceTable {
  transcription_id: string;
  /** The number that the diarization gave it, from 0. */
  idx: number;
  user_id: string;
  model: string;
  /** JSON: the voice print, a vector of the length 1. Null once the profile that had it was deleted. */
  embedding: string | null;
  /** JSON: where it is heard, `[start, end][]` in seconds. */
  spans: string;
  /** What the transcript calls it now; null for nobody. */
  label: string | null;
  /** The profile that this voice is part of. */
  profile_id: string | null;
  /** The name by which it became part of that profile: it stays when the profile is deleted, so that it is not made again. */
  named: string | null;
  /** JSON: the ids of the profiles that it is not. */
  declined: string;
}
