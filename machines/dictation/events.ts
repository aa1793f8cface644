import type { HeardBy, SpeechLanguage } from "#contract/index.ts";
import type { RecognitionProblem } from "./recognition/rules.ts";

/** The settings of the next recording. */
export interface RecorderLanguages {
  sourceLanguage: SpeechLanguage;
  /** A code for text, or null for no translation. */
  targetLanguage: string | null;
  /** Who transcribes it in the server's place: the browser's own recogniser, or the model on this device; absent: the server. */
  heardBy?: HeardBy | undefined;
  /** Nothing of it is sent before the person saves it. */
  staysHere?: boolean | undefined;
}

/** What is listened to: the microphone, the sound of a tab or of the computer (which the browser lets the person share), or both, mixed. */
export type RecorderSource = "microphone" | "display" | "both";

/** What is opened for a recording. */
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
  /** Nothing of it has left this device, nor does it before the person saves it. */
  staysHere?: boolean | undefined;
  /** It was spoken without a network, and is finished by itself when there is one: in these languages. */
  waits?: Pick<RecorderLanguages, "sourceLanguage" | "targetLanguage"> | undefined;
}

/** What the page and the actors send to the recorder. */
export type RecorderEvent =
  /** The person pressed Start, Stop, Try again, or starts over. */
  | ({ type: "start.requested" } & RecorderLanguages)
  /** The person says what the next recording listens to. */
  | { type: "source.chosen"; source: RecorderSource }
  | { type: "stop.requested" }
  | { type: "retry.requested" }
  | { type: "reset.requested" }
  /** The person mutes the microphone, or unmutes it. */
  | { type: "pause.requested" }
  | { type: "resume.requested" }
  /** No speech was recognised: the person keeps the recording, or discards it. */
  | { type: "keep.requested" }
  | { type: "discard.requested" }
  /** Nothing of it has left this device: the person saves it; or confirms that it is thrown away, or does not. */
  | { type: "save.requested" }
  | { type: "discard.confirmed" }
  | { type: "discard.dismissed" }
  /** What to do with an unfinished recording. */
  | { type: "leftover.resumeRequested"; id: string }
  | { type: "leftover.discardRequested"; id: string }
  /** The person saves what is pending in this browser. */
  | { type: "unsaved.saveRequested" }
  /** Sent by the actor `capture`. */
  | { type: "microphone.unplugged" }
  /** Sharing has ended: in the browser's own bar, or as the tab was closed. */
  | { type: "display.ended" }
  /** For a while nothing has been heard of what is shared; and then something again. */
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
  /** Every word is final (`hasWords`: there is one); or the server has already made a transcription by itself. */
  | { type: "recording.done"; hasWords: boolean }
  | { type: "recording.over" }
  /** Sent by the actor `recognition`: what hinders the recogniser, or null; that it will recognize nothing more while somebody speaks. */
  | { type: "recognition.troubled"; problem: RecognitionProblem | null }
  | { type: "recognition.blocked" }
  /** … and that no word follows (`hasWords`: there is one). */
  | { type: "recognition.finished"; hasWords: boolean }
  /** … or that this device can't: the server recognizes all of it. */
  | { type: "recognition.failed" }
  /** Sent by the actor `wakeUps`: the device woke, or the network is back. */
  | { type: "page.resumed" };

/** Emitted to the rest of the page. */
export type RecorderEmitted =
  /** Something is recorded, finished or saved; one of the others follows. */
  | { type: "recording.started" }
  | { type: "recording.saved" }
  /** No speech was recognised: the person decides. */
  | { type: "speech.missed" }
  /** An error code, or one of the microphone's problems. */
  | { type: "recording.failed"; failure: string }
  /** Nothing is under way: a recording may be started. */
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

/** These, and whether the connection is lost meanwhile. */
export type RecorderTag = (typeof recorderPhases)[number] | "disconnected";

/** What is sent to the actor `connection`: it reports that it is lost when an answer of the server is overdue. */
export type ConnectionCommand = { type: "connection.checkRequested" };

/** What is sent to the actor `capture`. */
export type CaptureCommand = { type: "mute.requested" } | { type: "unmute.requested" };

/** What is sent to the actor `recognition`. */
export type RecognitionCommand = { type: "pause.requested" } | { type: "resume.requested" } | { type: "finish.requested" };

/** The machine's context; data that arrives at audio rate is not in it. */
export interface RecorderContext {
  languages: RecorderLanguages;
  /** As the person has chosen it; what is listened to says `sourceOf` (rules.ts). */
  source: RecorderSource;
  /** Who recognizes the open recording in the server's place; null: nobody. One that is only finished is not recognized any more. */
  recognizedBy: HeardBy | null;
  /** What hinders them; null: nothing. It stays until the next recording. */
  recognitionProblem: RecognitionProblem | null;
  leftovers: readonly RecorderLeftover[];
  /** The one that is opened or discarded; "" before the first. */
  leftoverId: string;
  /** It was opened by itself, or the person has answered already: nobody is asked about it. */
  isAutomatic: boolean;
  /** Those that were opened by themselves since there has been a network: once each. */
  tried: readonly string[];
  storageTrouble: boolean;
  unplugged: boolean;
  /** The recording ended because sharing did. */
  displayEnded: boolean;
  /** Nothing has been heard of what is shared for a while. */
  isSilent: boolean;
  /** The free minutes ran out during the recording, which ended there. */
  limitReached: boolean;
  /** It was not them that ended it, but its silence. */
  endedInSilence: boolean;
  /** Connections lost since the last one that worked. */
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
