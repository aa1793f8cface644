import type { SpeechLanguage } from "#contract/index.ts";

/** What was chosen for what is spoken next. */
export interface RecorderLanguages {
  sourceLanguage: SpeechLanguage;
  /** A code for text, or null for no translation. */
  targetLanguage: string | null;
}

/** A recording that was not finished, by its name in this browser. */
export interface RecorderLeftover {
  id: string;
  /** Epoch ms. */
  startedAt: number;
  durationSeconds: number;
  /** It was spoken after the month's free minutes were used up: it is finished when there are minutes again. */
  overLimit: boolean;
}

/** What the page and the actors tell the recorder. */
export type RecorderEvent =
  /** The person pressed Start, Stop, Try again; wants the beginning again. */
  | ({ type: "start.requested" } & RecorderLanguages)
  | { type: "stop.requested" }
  | { type: "retry.requested" }
  | { type: "reset" }
  /** The person wants not to be heard for a while; wants to be heard again. */
  | { type: "pause.requested" }
  | { type: "resume.requested" }
  /** Nothing was heard: the person keeps the recording, or throws it away. */
  | { type: "keep.requested" }
  | { type: "discard.requested" }
  /** What to do with a recording that was not finished. */
  | { type: "leftover.resumeRequested"; id: string }
  | { type: "leftover.discardRequested"; id: string }
  /** The person wants saved what waits in this browser. */
  | { type: "unsaved.saveRequested" }
  /** The actor `capture` sends them. */
  | { type: "microphone.unplugged" }
  | { type: "storage.troubled" }
  /** The actor `connection` sends them; `code` is null when nobody said why it was lost. */
  | { type: "connection.opened" }
  | { type: "connection.advanced" }
  | { type: "connection.lost"; code: string | null }
  /** The month's free minutes are used up (SPEC.md section 9, "Free-tier limit"); the actor `connection` sends it. */
  | { type: "limit.reached" }
  /** Every word is final; or the server has already made a transcription of it by itself. */
  | { type: "recording.done" }
  | { type: "recording.over" }
  /** The actor `wakeUps` sends it: the device woke, or is connected again. */
  | { type: "woke" };

/** What the actor `capture` is told. */
export type CaptureCommand = { type: "mute" } | { type: "unmute" };

/** What the machine remembers; what arrives at audio rate is not in it. */
export interface RecorderContext {
  languages: RecorderLanguages;
  leftovers: readonly RecorderLeftover[];
  storageTrouble: boolean;
  unplugged: boolean;
  /** The free minutes were used up while it was recorded: the recording ended there. */
  limitReached: boolean;
  /** Connections lost since the last one that worked. */
  attempts: number;
  /** Connections that the server ended with a reason, since the last final sentence. */
  troubles: number;
  /** Its last reason. */
  lostCode: string | null;
  /** Why it stands in `failed`: an error code, or one of the microphone's problems. */
  failure: string | null;
  savedId: string | null;
}
