import type { SpeechLanguage } from "#contract/index.ts";

/** The settings of the next recording. */
export interface RecorderLanguages {
  sourceLanguage: SpeechLanguage;
  /** A code for text, or null for no translation. */
  targetLanguage: string | null;
}

/** The id, in this browser, of an unfinished recording. */
export interface RecorderLeftover {
  id: string;
  /** Epoch ms. */
  startedAt: number;
  durationSeconds: number;
  /** Recorded after the month's free minutes were used up: it is finished when there are minutes again. */
  overLimit: boolean;
}

/** What the page and the actors send to the recorder. */
export type RecorderEvent =
  /** The person pressed Start, Stop, Try again, or starts over. */
  | ({ type: "start.requested" } & RecorderLanguages)
  | { type: "stop.requested" }
  | { type: "retry.requested" }
  | { type: "reset.requested" }
  /** The person mutes the microphone, or unmutes it. */
  | { type: "pause.requested" }
  | { type: "resume.requested" }
  /** No speech was recognised: the person keeps the recording, or discards it. */
  | { type: "keep.requested" }
  | { type: "discard.requested" }
  /** What to do with an unfinished recording. */
  | { type: "leftover.resumeRequested"; id: string }
  | { type: "leftover.discardRequested"; id: string }
  /** The person saves what is pending in this browser. */
  | { type: "unsaved.saveRequested" }
  /** Sent by the actor `capture`. */
  | { type: "microphone.unplugged" }
  | { type: "storage.troubled" }
  /** Sent by the actor `connection`; `code` is null when the loss has no known reason. */
  | { type: "connection.opened" }
  | { type: "connection.advanced" }
  | { type: "connection.lost"; code: string | null }
  /** The month's free minutes are used up (SPEC.md section 9, "Free-tier limit"); sent by the actor `connection`. */
  | { type: "limit.reached" }
  /** Every word is final; or the server has already made a transcription by itself. */
  | { type: "recording.done" }
  | { type: "recording.over" }
  /** Sent by the actor `wakeUps`: the device woke, or the network is back. */
  | { type: "page.resumed" };

/** What is sent to the actor `capture`. */
export type CaptureCommand = { type: "mute.requested" } | { type: "unmute.requested" };

/** The machine's context; data that arrives at audio rate is not in it. */
export interface RecorderContext {
  languages: RecorderLanguages;
  leftovers: readonly RecorderLeftover[];
  storageTrouble: boolean;
  unplugged: boolean;
  /** The free minutes ran out during the recording, which ended there. */
  limitReached: boolean;
  /** Connections lost since the last one that worked. */
  attempts: number;
  /** Connections that the server closed with a reason, since the last final sentence. */
  troubles: number;
  /** The reason of the last one. */
  lostCode: string | null;
  /** Why it is in `failed`: an error code, or one of the microphone's problems. */
  failure: string | null;
  savedId: string | null;
}
