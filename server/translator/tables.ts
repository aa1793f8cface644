declare module "#server/db/schema.ts" {
  interface Schema {
    turns: TurnTable;
    unsettled_audio: UnsettledAudioTable;
  }
}

/** A turn of a conversation. Deleted ones are kept, so that they do not come back. */
export interface TurnTable {
  user_id: string;
  /** The conversation's client id, also that of its transcription, which may not exist (yet). */
  conversation_id: string;
  /** The client id of the turn, and of its recording. */
  turn_id: string;
  date: number;
  /** Its share of the conversation's audio, at 16,000 a second; 0 for a typed turn. */
  samples: number;
  deleted: number;
}

/** Conversations whose audio file may not match their turns yet. */
interface UnsettledAudioTable {
  transcription_id: string;
  /** The new version that replaces the file, if one was written. */
  replacement: string | null;
}
