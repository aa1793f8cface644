import type { SpeechLanguage } from "#contract/index.ts";
import type { Store } from "#src/browser/store.ts";
import type { CaptionLine, Captions, Translate } from "./captions.ts";
import { createDiscarding } from "./discarded.ts";
import type { Microphone, SoundSource } from "./microphone.ts";
import { createOpenRecording, type OpenRecording } from "./open-recording.ts";
import { createRecognizedCaptions, type RecognizedCaptions } from "./recognized-words.ts";
import type { RecordingRow } from "./recording-db.ts";
import { frameSeconds, type Leftover, type OwnedRecording, type Recordings } from "./recordings.ts";

interface Languages {
  sourceLanguage: SpeechLanguage;
  targetLanguage: string | null;
  heardBy?: RecordingRow["heardBy"];
  staysHere?: RecordingRow["staysHere"];
}

/** The languages and the audio source. */
interface Request extends Languages {
  /** Default: the microphone. */
  source?: SoundSource;
}

/** Callbacks during capturing. */
interface CaptureListener {
  /** Called when the microphone was unplugged or sharing has ended. No more audio follows. */
  onLost(what: "microphone" | "display"): void;
  /** `onSilence` is called after this many seconds of silence in the shared sound, and when sound returns. */
  silentSeconds: number;
  onSilence(isSilent: boolean): void;
}

/** How a recording with final words is saved. */
export interface Saving<Final extends { clientId: string }> {
  finalOf(row: RecordingRow, lines: readonly CaptionLine[]): Final;
  /** The outbox of this browser, for the signed-in user. */
  unsaved: {
    list(): readonly Final[];
    /** @returns false when the browser's storage is full */
    keep(final: Final, ownerId: string): boolean;
  };
  /**
   * Sends the transcription and removes it from the outbox. Idempotent by client id.
   * @returns the transcription's id
   */
  saveFinal(final: Final, signal: AbortSignal): Promise<string>;
  /** Deletes a recording's audio on the server, which keeps it until its fate is known. */
  deleteOnServer(row: RecordingRow, signal: AbortSignal): Promise<void>;
}

type TranslateBetween = (text: string, languages: { source: string; target: string }, signal: AbortSignal) => Promise<string>;

export interface DictationParts<Final extends { clientId: string }> {
  recordings: Recordings;
  captions: Captions;
  level: Store<number>;
  elapsed: Store<number>;
  openMicrophone(signal: AbortSignal, source: SoundSource): Promise<Microphone>;
  /** The signed-in user. */
  ownerId(): string | null;
  /** Epoch ms. */
  now(): number;
  /** The conversation turn that the next recording will become. */
  conversation?(): RecordingRow["conversation"];
  translate: TranslateBetween;
  /** Translates on this device, for a recording that must not be sent. */
  translateHere: TranslateBetween;
  saving: Saving<Final>;
}

/**
 * The recorder's actors, which share the open recording. Every method that rejects does so with an error that has a
 * code.
 */
export interface Dictation {
  /** The open recording. */
  readonly owned: OwnedRecording | undefined;
  /** The open source of audio; undefined after its release. */
  readonly microphone: Microphone | undefined;
  /** The visible captions of the open recording, for recognizers. */
  readonly shown: RecognizedCaptions;
  /** Releases the open recording, and finds unfinished ones. */
  leftovers(signal: AbortSignal): Promise<Leftover[]>;
  begin(request: Request, signal: AbortSignal): Promise<void>;
  /** Records until the caller calls the returned function. */
  capture(listener: CaptureListener): () => void;
  /**
   * Announces words of the open recording that this browser still has to recognize. The recording has no end until the
   * returned function is called.
   */
  awaitWords(): () => void;
  /** While muted, the microphone's frames are dropped. */
  mute(isMuted: boolean): void;
  /** Opens an unfinished recording. @returns its languages */
  resume(id: string, signal: AbortSignal): Promise<Languages>;
  /** Lets the server recognize the open recording, because this device can't. */
  leaveToServer(): void;
  /** Allows sending the open recording after the user has decided to save it. Nothing was sent before. */
  allowSending(): void;
  /** Releases the open recording, which waits for a network. All of it is in this browser. */
  setAside(): Promise<void>;
  /** Saves the open recording. @returns the transcription's id */
  save(signal: AbortSignal): Promise<string>;
  saveUnsaved(signal: AbortSignal): Promise<void>;
  /** Discards the open recording or an unfinished one, and tells the server as soon as possible. */
  discard(id: string | undefined, signal: AbortSignal): Promise<void>;
  stop(): void;
}

export function createDictation<Final extends { clientId: string }>(parts: DictationParts<Final>): Dictation {
  const { recordings, captions, level, elapsed, saving } = parts;
  const open = createOpenRecording({ level, elapsed });
  const discarding = createDiscarding({ ...parts, deleteOnServer: saving.deleteOnServer });
  const ofServer: RecognizedCaptions = { ...captions, refresh: () => {} };
  let shown = ofServer;
  /** @param lines existing lines, whose translations stay */
  const openCaptions = (frames: OwnedRecording["frames"], lines: readonly CaptionLine[] = []) => {
    captions.begin(translatorOf(frames.row, parts));
    captions.replace(lines);
    shown = frames.row.heardBy === undefined ? ofServer : createRecognizedCaptions(frames, captions);
    shown.refresh();
  };
  return {
    get owned() {
      return open.owned;
    },
    get microphone() {
      return open.microphone;
    },
    get shown() {
      return shown;
    },
    leftovers: async (signal) => {
      await open.release();
      const ownerId = parts.ownerId();
      if (ownerId === null) return [];
      discarding.retry(ownerId, signal).catch(() => {});
      return recordings.leftovers(ownerId, new Set(saving.unsaved.list().map(({ clientId }) => clientId)));
    },
    begin: async ({ source = "microphone", ...languages }, signal) => {
      const ownerId = parts.ownerId();
      if (ownerId === null) throw Object.assign(new Error("Nobody is signed in."), { code: "unauthorized" });
      await open.release();
      const opened = await parts.openMicrophone(signal, source);
      const about = { conversation: parts.conversation?.() };
      const begun = await recordings.begin({ ownerId, ...languages, startedAt: parts.now(), ...about });
      if (signal.aborted) {
        opened.close();
        await recordings.remove(begun.frames.row.id).catch(() => {});
        await begun.release();
        signal.throwIfAborted();
      }
      openCaptions(begun.frames);
      level.set(0);
      elapsed.set(0);
      open.hold(begun, opened);
    },
    ...capturing(open),
    mute: open.mute,
    resume: async (id, signal) => {
      await open.release();
      const resumed = await recordings.resume(id);
      if (signal.aborted) await resumed.release();
      signal.throwIfAborted();
      const { row, written } = resumed.frames;
      openCaptions(resumed.frames);
      level.set(0);
      elapsed.set((written - row.base) * frameSeconds);
      open.hold(resumed);
      const { sourceLanguage, targetLanguage, heardBy, staysHere } = row;
      return { sourceLanguage, targetLanguage, heardBy, staysHere };
    },
    allowSending: () => {
      const frames = open.owned?.frames;
      frames?.change({ staysHere: false });
      if (frames !== undefined) openCaptions(frames, captions.get().lines);
    },
    leaveToServer: () => {
      open.owned?.frames.leaveToServer();
      shown = ofServer;
    },
    setAside: async () => {
      open.owned?.frames.change({ waits: true });
      await open.release();
    },
    save: (signal) => save(open, parts, signal),
    saveUnsaved: (signal) => saveUnsaved(saving, signal),
    discard: async (id, signal) => {
      // Another tab may be finishing the recording, and its words must not be removed there.
      const claimed = id === undefined ? undefined : await recordings.resume(id);
      const frames = claimed?.frames ?? open.owned?.frames;
      try {
        await frames?.settled();
        if (frames !== undefined) await discarding.discard(frames.row, signal);
      } finally {
        await claimed?.release();
      }
    },
    stop: () => {
      captions.stop();
      open.release().catch(() => {});
    },
  };
}

/**
 * The translator of a recording's words; undefined without a target language. This device translates recordings that
 * must not be sent.
 */
function translatorOf(
  { sourceLanguage: source, targetLanguage: target, staysHere }: RecordingRow,
  { translate, translateHere }: Pick<DictationParts<never>, "translate" | "translateHere">,
): Translate | undefined {
  if (target === null) return undefined;
  const ask = staysHere === true ? translateHere : translate;
  return (text, signal) => ask(text, { source, target }, signal);
}

/** Ends the recording when nothing captures audio, and this browser has no words left to recognize. */
function capturing(open: OpenRecording): Pick<Dictation, "capture" | "awaitWords"> {
  let [isCapturing, isAwaitingWords] = [false, false];
  return {
    capture: ({ onLost, silentSeconds, onSilence }) => {
      const frames = open.owned?.frames;
      isCapturing = true;
      const end = open.capture({ onLost, silence: { seconds: silentSeconds, onChange: onSilence } });
      return () => {
        end();
        isCapturing = false;
        if (!isAwaitingWords) frames?.end();
      };
    },
    awaitWords: () => {
      const frames = open.owned?.frames;
      isAwaitingWords = true;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        isAwaitingWords = false;
        if (!isCapturing) frames?.end();
      };
    },
  };
}

/** Saves the open recording and releases it. @returns the transcription's id */
async function save<Final extends { clientId: string }>(
  open: OpenRecording,
  { recordings, captions, saving }: DictationParts<Final>,
  signal: AbortSignal,
): Promise<string> {
  const frames = open.owned?.frames;
  if (frames === undefined) throw new Error("No recording is open.");
  const finalOf = () => saving.finalOf(frames.row, captions.get().lines);
  // Stored before the translation is awaited, so that the words survive the page from here on.
  const { ownerId } = frames.row;
  if (saving.unsaved.keep(finalOf(), ownerId)) frames.change({ fate: "kept" });
  await frames.settled();
  await captions.translated();
  signal.throwIfAborted();
  const final = finalOf();
  saving.unsaved.keep(final, ownerId);
  const id = await saving.saveFinal(final, signal);
  await frames.settled();
  await recordings.finish(frames).catch(() => {});
  await open.release();
  return id;
}

/** Sends the outbox's entries. @throws the first failure, after all have been tried */
async function saveUnsaved<Final extends { clientId: string }>(
  { unsaved, saveFinal }: Saving<Final>,
  signal: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for (const final of unsaved.list()) {
    await saveFinal(final, signal).catch((error: unknown) => failures.push(error));
    signal.throwIfAborted();
  }
  if (failures.length > 0) throw failures[0];
}
