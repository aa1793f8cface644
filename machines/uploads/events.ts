import type { SpeechLanguage, TranscriptionSummary } from "#contract/index.ts";

export type UploadEvent =
  /** The list: this file has a slot now. */
  | { type: "slot.given" }
  /** The person. */
  | { type: "cancel.requested" }
  | { type: "retry.requested" }
  | { type: "pause.requested" }
  | { type: "resume.requested" }
  /** The list: the person has chosen the file of an unfinished upload again. */
  | { type: "file.given" }
  /** The actor `wakeUps`: the network is back, or the device woke. */
  | { type: "page.resumed" }
  /** The actor `signIn`: the person who added the file is signed in again. */
  | { type: "session.resumed" }
  /** The actor `updates`: the row as it is now. */
  | { type: "transcription.updated"; transcription: TranscriptionSummary };

/** Emitted to the list. */
export type UploadEmitted =
  /** It requests a slot. */
  | { type: "slot.requested"; id: string }
  /** It does not need its slot any more. */
  | { type: "slot.released"; id: string };

/** A dropped file. Its bytes are with the uploading actor. */
export interface UploadFile {
  /** A UUID: the server stores uploads with the same one once. */
  id: string;
  name: string;
  /** In bytes. */
  size: number;
}

/** The options of an upload. */
export interface UploadOptions {
  sourceLanguage: SpeechLanguage;
  /** null: no translation. */
  targetLanguage: string | null;
  /** "": the file's name is its title. */
  title: string;
  /** Vocabulary hints: names and terms; "" for none. */
  vocabulary: string;
  /** Whether speakers are distinguished. */
  speakers: boolean;
  /** The number of speakers; absent: detected automatically. */
  speakerCount?: number | undefined;
  /** The number of the audio track to transcribe; absent: the file's default. */
  track?: number | undefined;
}

/** The states that are shown, named as in the locale files (`uploads.state.<name>`). */
export const uploadStates = [
  "checking",
  "missing",
  "queued",
  "uploading",
  "waitingForServer",
  "waitingForSignIn",
  "paused",
  "processing",
  "completed",
  "failed",
  "cancelled",
] as const;
export type UploadState = (typeof uploadStates)[number];
