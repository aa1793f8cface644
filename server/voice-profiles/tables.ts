declare module "#server/db/schema.ts" {
  interface Schema {
    voice_consents: VoiceConsentTable;
    voice_profiles: VoiceProfileTable;
    voices: VoiceTable;
  }
}

/** Users who have agreed to the recognition of voices. Without a row, no voice is stored. */
interface VoiceConsentTable {
  user_id: string;
  /** Epoch ms. */
  since: number;
}

/** The voice of a person whom a user has named. */
export interface VoiceProfileTable {
  id: string;
  user_id: string;
  name: string;
  /** The source of the voice prints (voice-profiles/voice.ts). Only those with the same source can be compared. */
  model: string;
  /** JSON: the sum of its voice prints, each with length 1. */
  sum: string;
  /** Number of recordings in the profile. */
  recordings: number;
  /** Epoch ms. */
  created_at: number;
  /** The date of the latest of these recordings, epoch ms. */
  heard_at: number;
}

/** A speaker of a diarized transcription. */
export interface VoiceTable {
  transcription_id: string;
  /** The diarization's number for the speaker, from 0. */
  idx: number;
  user_id: string;
  model: string;
  /** JSON: the voice print, a vector of length 1. Null once its profile was deleted. */
  embedding: string | null;
  /** JSON: where the voice is heard, `[start, end][]` in seconds. */
  spans: string;
  /** The transcript's current label; null for none. */
  label: string | null;
  /** The profile that this voice is part of. */
  profile_id: string | null;
  /**
   * The name that assigned the voice to its profile. It stays when the profile is deleted, so that the profile is not
   * recreated.
   */
  named: string | null;
  /** JSON: ids of the profiles that the voice does not belong to. */
  declined: string;
}
