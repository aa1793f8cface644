import type { ExportContent, VideoProblem } from "#contract/index.ts";

declare module "#server/db/schema.ts" {
  interface Schema {
    videos: VideoTable;
  }
}

export interface VideoTable {
  transcription_id: string;
  /** The picture that a browser can play, or the video with captions in its picture. */
  kind: "picture" | "captioned";
  user_id: string;
  /** Of a picture: `none` (the recording has none), `original` (browsers play it as it came). */
  state: "none" | "original" | "waiting" | "making" | "ready" | "failed";
  /** Which texts are in the picture; null of a picture without. */
  content: ExportContent | null;
  /** The interface's, for names such as "Speaker 1". */
  language: string | null;
  /** Why it has failed. */
  problem: VideoProblem | null;
  /** 0 to 1. */
  fraction: number;
  /** How many different characters no font of the server has. */
  undrawn: number;
  attempts: number;
  /** Of the attempt under way, and of no other; null before the first. */
  run: string | null;
  asked_at: number;
  /** When it is made (again); while it is, when another process may. */
  next_at: number;
  finished_at: number | null;
}
