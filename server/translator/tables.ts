declare module "#server/db/schema.ts" {
  interface Schema {
    turns: TurnTable;
    unsettled_audio: UnsettledAudioTable;
  }
}

/** A turn of a conversation. Deleted turns are kept, so that they don't come back. */
export interface TurnTable {
  user_id: string;
  /** The conversation's client id, also that of its transcription, which may not exist (yet). */
  conversation_id: string;
  /** The client id of the turn, and of its recording. */
  turn_id: string;
  date: number;
  /** Samples of its part of the conversation's audio, 16,000 per second; 0 for a typed turn. */
  samples: number;
  deleted: number;
}

/** Conversations whose audio file may not match their turns yet. */
interface UnsettledAudioTable {
  transcription_id: string;
  /** The new version that replaces the file, if one was written. */
  replacement: string | null;
}
