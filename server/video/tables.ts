import type { ExportContent, VideoProblem } from "#contract/index.ts";

declare module "#server/db/schema.ts" {
  interface Schema {
    videos: VideoTable;
  }
}

export interface VideoTable {
  transcription_id: string;
  /** A picture that browsers can play, or the video with burnt-in captions. */
  kind: "picture" | "captioned";
  user_id: string;
  /** For a picture: `none` (the recording has none), `original` (browsers play the original). */
  state: "none" | "original" | "waiting" | "making" | "ready" | "failed";
  /** The texts in the picture; null for a picture without captions. */
  content: ExportContent | null;
  /** Interface language of labels such as "Speaker 1". */
  language: string | null;
  /** The reason for a failure. */
  problem: VideoProblem | null;
  /** 0 to 1. */
  fraction: number;
  /** Number of different characters that no font of the server has. */
  undrawn: number;
  attempts: number;
  /** Identifies the current attempt; null before the first. */
  run: string | null;
  asked_at: number;
  /** When it is due; while it is being made, when another process may take over. */
  next_at: number;
  finished_at: number | null;
}
