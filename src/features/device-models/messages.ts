import type { Segment } from "#contract/index.ts";
import type { ModelFiles, TranslatorFile } from "./files.ts";

/** Messages about a worker's life, from any of the workers. A code is one of `device-models:failure.*`. */
export type Life =
  /** The worker holds its lock. */
  | { type: "begun" }
  | { type: "opened" }
  /** The worker can't use the model. */
  | { type: "closed"; code: string };

/** Sent from the page to any worker to cancel a task. */
export interface Cancellation {
  type: "cancel";
  id: number;
}

/** Sent from the page to the recognizer's worker. The page assigns the ids of streams and recordings. */
export type Question =
  /** @param lock the worker holds this Web Lock as long as it lives */
  | { type: "open"; files: ModelFiles; lock: string }
  | { type: "listen"; id: number }
  | { type: "write"; id: number; pcm: Uint8Array<ArrayBuffer> }
  | { type: "end"; id: number }
  | { type: "transcribe"; id: number; sound: Blob }
  | Cancellation;

/** Sent from the recognizer's worker to the page. */
export type Told =
  | { type: "interim"; id: number; text: string }
  | { type: "final"; id: number; segment: Segment }
  | { type: "progress"; id: number; fraction: number }
  | { type: "done"; id: number; segments: Segment[] }
  | { type: "failed"; id: number; code: string };

export type Answer = Life | Told;

/** Sent from the page to a translator's worker. */
export type TranslatorQuestion =
  /** @param cache name of the Cache with the files */
  | { type: "open"; cache: string; files: readonly TranslatorFile[]; lock: string }
  | { type: "translate"; id: number; texts: readonly string[]; target: string }
  | Cancellation;

/** Sent from a translator's worker to the page: one translation for each text, in order. */
export interface Translated {
  type: "translated";
  id: number;
  texts: string[];
}

export type TranslatorAnswer = Life | Translated;
