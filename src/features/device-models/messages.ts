import type { Segment } from "#contract/index.ts";
import type { ModelFiles, TranslatorFile } from "./files.ts";

/** What any of the workers says of itself. A code is one of `device-models:failure.*`. */
export type Life =
  /** It holds its lock. */
  | { type: "begun" }
  | { type: "opened" }
  /** The model can't be used. */
  | { type: "closed"; code: string };

/** What the page says to any of them of a task that is wanted no more. */
export interface Cancellation {
  type: "cancel";
  id: number;
}

/** What the page says to the recogniser's worker. Streams and recordings have ids of the page's. */
export type Question =
  /** @param lock the worker holds this Web Lock as long as it lives */
  | { type: "open"; files: ModelFiles; lock: string }
  | { type: "listen"; id: number }
  | { type: "write"; id: number; pcm: Uint8Array<ArrayBuffer> }
  | { type: "end"; id: number }
  | { type: "transcribe"; id: number; sound: Blob }
  | Cancellation;

/** What it says about them. */
export type Told =
  | { type: "interim"; id: number; text: string }
  | { type: "final"; id: number; segment: Segment }
  | { type: "progress"; id: number; fraction: number }
  | { type: "done"; id: number; segments: Segment[] }
  | { type: "failed"; id: number; code: string };

export type Answer = Life | Told;

/** What the page says to a translator's worker. */
export type TranslatorQuestion =
  /** @param cache where the files are */
  | { type: "open"; cache: string; files: readonly TranslatorFile[]; lock: string }
  | { type: "translate"; id: number; texts: readonly string[]; target: string }
  | Cancellation;

/** What it says: one translation for each text, in their order. */
export interface Translated {
  type: "translated";
  id: number;
  texts: string[];
}

export type TranslatorAnswer = Life | Translated;
