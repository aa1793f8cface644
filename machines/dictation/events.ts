import type { HeardBy, SpeechLanguage } from "#contract/index.ts";
import type { RecognitionProblem } from "./recognition/rules.ts";

/** The settings of the next recording. */
export interface RecorderLanguages {
  sourceLanguage: SpeechLanguage;
  /** A code for text, or null for no translation. */
  targetLanguage: string | null;
  /** The recognizer if it is not the server: the browser's own, or the model on this device; absent: the server. */
  heardBy?: HeardBy | undefined;
  /** Whether the audio stays on this device until the person saves it. */
  staysHere?: boolean | undefined;
}

/**
 * The audio source: the microphone, the sound of a tab or of the computer (which the person shares in the browser), or
 * both, mixed.
 */
export type RecorderSource = "microphone" | "display" | "both";

/** The request to open a recording. */
export interface CaptureRequest extends RecorderLanguages {
  source: RecorderSource;
}

/** The id, in this browser, of an unfinished recording. */
export interface RecorderLeftover {
  id: string;
  /** Epoch ms. */
  startedAt: number;
  durationSeconds: number;
  /** Recorded after the month's free minutes were used up: it is finished when there are minutes again. */
  overLimit: boolean;
  /** Whether the audio stays on this device until the person saves it. */
  staysHere?: boolean | undefined;
  /**
   * Set for a recording that was spoken offline. It is finished automatically, in these languages, when there is a
   * network.
   */
  waits?: Pick<RecorderLanguages, "sourceLanguage" | "targetLanguage"> | undefined;
}

/** What the page and the actors send to the recorder. */
export type RecorderEvent =
  /** The person pressed Start, Stop, Try again, or starts over. */
  | ({ type: "start.requested" } & RecorderLanguages)
  /** The person chooses the source of the next recording. */
  | { type: "source.chosen"; source: RecorderSource }
  | { type: "stop.requested" }
  | { type: "retry.requested" }
  | { type: "reset.requested" }
  /** The person mutes the microphone, or unmutes it. */
  | { type: "pause.requested" }
  | { type: "resume.requested" }
  /** No speech was recognized: the person saves or discards the recording. */
  | { type: "keep.requested" }
  | { type: "discard.requested" }
  /** The recording is only on this device: the person saves it; or discards it, with a confirmation. */
  | { type: "save.requested" }
  | { type: "discard.confirmed" }
  | { type: "discard.dismissed" }
  /** The person decides about an unfinished recording. */
  | { type: "leftover.resumeRequested"; id: string }
  | { type: "leftover.discardRequested"; id: string }
  /** The person saves pending transcriptions in this browser. */
  | { type: "unsaved.saveRequested" }
  /** Sent by the actor `capture`. */
  | { type: "microphone.unplugged" }
  /** Sharing has ended: in the browser's own bar, or as the tab was closed. */
  | { type: "display.ended" }
  /** The shared audio has been silent for a while; then there is sound again. */
  | { type: "silence.began" }
  | { type: "silence.ended" }
  | { type: "storage.troubled" }
  /** Sent by the actor `connection`; `code` is null when the loss has no known reason. */
  | { type: "connection.opened" }
  | { type: "connection.advanced" }
  | { type: "connection.lost"; code: string | null }
  /** The month's free minutes are used up (SPEC.md section 9, "Free-tier limit"); sent by the actor `connection`. */
  /** `silence`: not the free minutes, but the silence that one recording may hold without them. */
  | { type: "limit.reached"; silence?: boolean }
  /** Every word is final (`hasWords`: there is at least one), or the server has already made a transcription. */
  | { type: "recording.done"; hasWords: boolean }
  | { type: "recording.over" }
  /** Sent by the actor `recognition`: the recognizer's problem, or null; that it recognizes nothing more live. */
  | { type: "recognition.troubled"; problem: RecognitionProblem | null }
  | { type: "recognition.blocked" }
  /** Sent by the actor `recognition`: no word follows (`hasWords`: there is at least one). */
  | { type: "recognition.finished"; hasWords: boolean }
  /** Sent by the actor `recognition`: this device can't recognize the recording, so the server will. */
  | { type: "recognition.failed" }
  /** Sent by the actor `wakeUps`: the device woke, or the network is back. */
  | { type: "page.resumed" };

/** Emitted to the rest of the page. */
export type RecorderEmitted =
  /** Something is recorded, finished or saved; one of the others follows. */
  | { type: "recording.started" }
  | { type: "recording.saved" }
  /** No speech was recognized: the person decides. */
  | { type: "speech.missed" }
  /** An error code, or one of the microphone's problems. */
  | { type: "recording.failed"; failure: string }
  /** The recorder is ready for a new recording. */
  | { type: "recorder.ready" };

/** The states that are shown. */
export const recorderPhases = [
  "idle",
  "requestingMicrophone",
  "recording",
  "paused",
  "stopping",
  "finishing",
  "kept",
  "saving",
  "saved",
  "nothingHeard",
  "failed",
] as const;

/** These phases, and whether the connection is currently lost. */
export type RecorderTag = (typeof recorderPhases)[number] | "disconnected";

/** Sent to the actor `connection`: it reports a lost connection if an answer of the server is overdue. */
export type ConnectionCommand = { type: "connection.checkRequested" };

/** What is sent to the actor `capture`. */
export type CaptureCommand = { type: "mute.requested" } | { type: "unmute.requested" };

/** What is sent to the actor `recognition`. */
export type RecognitionCommand = { type: "pause.requested" } | { type: "resume.requested" } | { type: "finish.requested" };

/** The machine's context; data that arrives at audio rate is not in it. */
export interface RecorderContext {
  languages: RecorderLanguages;
  /** The source that the person chose; `sourceOf` (rules.ts) gives the actual one. */
  source: RecorderSource;
  /**
   * The recognizer of the open recording if it is not the server; null: the server. A recording that is only being
   * finished has none.
   */
  recognizedBy: HeardBy | null;
  /** The recognizer's problem; null for none. It stays until the next recording. */
  recognitionProblem: RecognitionProblem | null;
  leftovers: readonly RecorderLeftover[];
  /** The unfinished recording that is opened or discarded; "" before the first. */
  leftoverId: string;
  /** Whether the recording was opened automatically, or the person has already answered: then no question is asked. */
  isAutomatic: boolean;
  /** The recordings that were opened automatically since the network returned, once each. */
  tried: readonly string[];
  storageTrouble: boolean;
  unplugged: boolean;
  /** The recording ended because sharing did. */
  displayEnded: boolean;
  /** Whether the shared audio has been silent for a while. */
  isSilent: boolean;
  /** The free minutes ran out during the recording, which ended there. */
  limitReached: boolean;
  /** Whether silence ended the recording, not the limit of minutes. */
  endedInSilence: boolean;
  /** Connections lost since the last successful one. */
  attempts: number;
  /** Connections that the server closed with a reason, since the last final sentence. */
  troubles: number;
  /** The reason of the last one. */
  lostCode: string | null;
  /** Why it is in `failed`: an error code, or one of the microphone's problems. */
  failure: string | null;
  /** The person waits for the words: they are shown once they are saved. */
  isAwaited: boolean;
  savedId: string | null;
}
