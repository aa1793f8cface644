import type { Segment } from "#contract/index.ts";
import type { ModelFiles } from "./files.ts";

/** What the page says to the recogniser's worker. Streams and recordings have ids of the page's. */
export type Question =
  /** @param lock the worker holds this Web Lock as long as it lives */
  | { type: "open"; files: ModelFiles; lock: string }
  | { type: "listen"; id: number }
  | { type: "write"; id: number; pcm: Uint8Array<ArrayBuffer> }
  | { type: "end"; id: number }
  | { type: "transcribe"; id: number; sound: Blob }
  | { type: "cancel"; id: number };

/** What the worker says. A code is one of `device-models:failure.*`. */
export type Answer =
  /** It holds its lock. */
  | { type: "begun" }
  | { type: "opened" }
  /** The model can't be used. */
  | { type: "closed"; code: string }
  | { type: "interim"; id: number; text: string }
  | { type: "final"; id: number; segment: Segment }
  | { type: "progress"; id: number; fraction: number }
  | { type: "done"; id: number; segments: Segment[] }
  | { type: "failed"; id: number; code: string };
