import type { SpeechLanguage } from "#contract/index.ts";
import type { Store } from "#src/browser/store.ts";
import type { CaptionLine, Captions, Translate } from "./captions.ts";
import { createHeardCaptions, type HeardCaptions } from "./heard-words.ts";
import type { Microphone, SoundSource } from "./microphone.ts";
import type { RecordingRow } from "./recording-db.ts";
import { frameSeconds, type Leftover, type Recordings, type Take } from "./recordings.ts";
import { createSilenceWatch } from "./silence.ts";

interface Languages {
  sourceLanguage: SpeechLanguage;
  targetLanguage: string | null;
  heardBy?: RecordingRow["heardBy"];
}

/** What is listened to, besides. */
interface Request extends Languages {
  /** Default: the microphone. */
  source?: SoundSource;
}

/** What becomes of what is captured. */
interface CaptureListener {
  /** The microphone was unplugged, or sharing has ended: nothing more comes. */
  onLost(what: "microphone" | "display"): void;
  /** For so many seconds nothing has been heard of what is shared; or something is heard again. */
  silentSeconds: number;
  onSilence(isSilent: boolean): void;
}

/** What happens to a recording whose words are final. */
export interface Saving<Final extends { clientId: string }> {
  finalOf(row: RecordingRow, lines: readonly CaptionLine[]): Final;
  /** The outbox of this browser, for the signed-in user. */
  unsaved: {
    list(): readonly Final[];
    /** @returns false when the browser has no room */
    keep(final: Final, ownerId: string): boolean;
  };
  /** Sends it and removes it from the outbox. @returns the transcription's id. Idempotent by client id. */
  saveFinal(final: Final, signal: AbortSignal): Promise<string>;
  /** The server keeps a recording's audio until it knows what happens to it: this deletes it. */
  deleteOnServer(row: RecordingRow, signal: AbortSignal): Promise<void>;
}

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
  /** The conversation turn that the next recording becomes. */
  conversation?(): RecordingRow["conversation"];
  translate(text: string, languages: { source: string; target: string }, signal: AbortSignal): Promise<string>;
  saving: Saving<Final>;
}

/** The recorder's actors; they share the open recording. Every method that rejects does so with an error that has a code. */
export interface Dictation {
  /** The open recording. */
  readonly take: Take | undefined;
  /** What captures; undefined when it is released. */
  readonly microphone: Microphone | undefined;
  /** The captions of the open recording, for whoever has something to show. */
  readonly shown: HeardCaptions;
  /** Releases what is open, and finds unfinished recordings. */
  leftovers(signal: AbortSignal): Promise<Leftover[]>;
  begin(request: Request, signal: AbortSignal): Promise<void>;
  /** Records what is heard until the returned function is called. */
  capture(listener: CaptureListener): () => void;
  /**
   * Says that words of the open recording are still to come from this browser: it has no end before the returned function is called.
   */
  awaitWords(): () => void;
  /** While muted, the microphone's frames are dropped. */
  mute(isMuted: boolean): void;
  /** Opens an unfinished recording. @returns its languages */
  resume(id: string, signal: AbortSignal): Promise<Languages>;
  /** Releases the open recording, which waits for a network: all of it is in this browser. */
  setAside(): Promise<void>;
  /** Saves the open recording. @returns the transcription's id */
  save(signal: AbortSignal): Promise<string>;
  saveUnsaved(signal: AbortSignal): Promise<void>;
  /** Discards the open recording, or an unfinished one; the server is notified as soon as possible. */
  discard(id: string | undefined, signal: AbortSignal): Promise<void>;
  stop(): void;
}

export function createDictation<Final extends { clientId: string }>(parts: DictationParts<Final>): Dictation {
  const { recordings, captions, level, elapsed, saving } = parts;
  const { unsaved } = saving;
  let take: Take | undefined;
  let shown: HeardCaptions = { ...captions, refresh: () => {} };
  let muted = false;
  let [isCapturing, isAwaitingWords] = [false, false];
  let microphone: Microphone | undefined;

  const release = async () => {
    microphone?.close();
    microphone = undefined;
    const before = take;
    take = undefined;
    // Its last frame must be stored before another tab may open it.
    await before?.frames.settled();
    await before?.release();
  };
  const openCaptions = ({ sourceLanguage: source, targetLanguage: target }: Languages, frames: Take["frames"]) => {
    const translate: Translate | undefined =
      target === null ? undefined : (text, signal) => parts.translate(text, { source, target }, signal);
    captions.begin(translate);
    shown = frames.row.heardBy === "browser" ? createHeardCaptions(frames, captions) : { ...captions, refresh: () => {} };
    level.set(0);
    elapsed.set(0);
  };
  const finalOf = (row: RecordingRow) => saving.finalOf(row, captions.get().lines);

  const deleteDiscarded = async (row: RecordingRow, signal: AbortSignal) => {
    if (row.reached) await saving.deleteOnServer(row, signal);
    await recordings.remove(row.id);
  };
  const throwAway = async (row: RecordingRow, signal: AbortSignal) => {
    await recordings.discard(row).catch(() => {});
    await deleteDiscarded(row, signal);
  };
  const retryDiscarded = async (ownerId: string, signal: AbortSignal) => {
    for (const row of await recordings.discarded(ownerId)) {
      if (parts.ownerId() !== ownerId) return;
      await deleteDiscarded(row, signal);
    }
  };

  return {
    get take() {
      return take;
    },
    get microphone() {
      return microphone;
    },
    get shown() {
      return shown;
    },
    leftovers: async (signal) => {
      await release();
      const ownerId = parts.ownerId();
      if (ownerId === null) return [];
      retryDiscarded(ownerId, signal).catch(() => {});
      return recordings.leftovers(ownerId, new Set(unsaved.list().map(({ clientId }) => clientId)));
    },
    begin: async ({ source = "microphone", ...languages }, signal) => {
      const ownerId = parts.ownerId();
      if (ownerId === null) throw Object.assign(new Error("Nobody is signed in."), { code: "unauthorized" });
      await release();
      const opened = await parts.openMicrophone(signal, source);
      const about = { conversation: parts.conversation?.() };
      const begun = await recordings.begin({ ownerId, ...languages, startedAt: parts.now(), ...about });
      if (signal.aborted) {
        opened.close();
        await recordings.remove(begun.frames.row.id).catch(() => {});
        await begun.release();
        signal.throwIfAborted();
      }
      openCaptions(languages, begun.frames);
      take = begun;
      microphone = opened;
    },
    capture: ({ onLost, silentSeconds, onSilence }) => {
      const [frames, opened] = [take?.frames, microphone];
      let samples = 0;
      const silence = createSilenceWatch(silentSeconds, onSilence);
      muted = false;
      isCapturing = true;
      opened?.listen({
        onFrame: (pcm) => {
          if (muted) return;
          samples += pcm.length / 2;
          frames?.append(pcm);
          elapsed.set(samples / 16_000);
        },
        onLevel: (loudness, shared) => {
          level.set(muted ? 0 : loudness);
          if (shared !== undefined && !muted) silence.hear(shared, samples / 16_000);
        },
        onLost,
      });
      return () => {
        opened?.close();
        isCapturing = false;
        if (!isAwaitingWords) frames?.end();
        level.set(0);
      };
    },
    awaitWords: () => {
      const frames = take?.frames;
      isAwaitingWords = true;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        isAwaitingWords = false;
        if (!isCapturing) frames?.end();
      };
    },
    mute: (isMuted) => {
      muted = isMuted;
      if (isMuted) level.set(0);
    },
    resume: async (id, signal) => {
      await release();
      const resumed = await recordings.resume(id);
      if (signal.aborted) await resumed.release();
      signal.throwIfAborted();
      const { row, written } = resumed.frames;
      openCaptions(row, resumed.frames);
      shown.refresh();
      elapsed.set((written - row.base) * frameSeconds);
      take = resumed;
      return { sourceLanguage: row.sourceLanguage, targetLanguage: row.targetLanguage };
    },
    setAside: async () => {
      take?.frames.change({ waits: true });
      await release();
    },
    save: async (signal) => {
      const frames = take?.frames;
      if (frames === undefined) throw new Error("No recording is open.");
      // Before the translation is awaited: from here on the words survive the page.
      const { ownerId } = frames.row;
      if (unsaved.keep(finalOf(frames.row), ownerId)) frames.change({ fate: "kept" });
      await frames.settled();
      await captions.translated();
      signal.throwIfAborted();
      const final = finalOf(frames.row);
      unsaved.keep(final, ownerId);
      const id = await saving.saveFinal(final, signal);
      await frames.settled();
      await recordings.finish(frames).catch(() => {});
      await release();
      return id;
    },
    saveUnsaved: async (signal) => {
      const failures: unknown[] = [];
      for (const final of unsaved.list()) {
        await saving.saveFinal(final, signal).catch((error: unknown) => failures.push(error));
        signal.throwIfAborted();
      }
      if (failures.length > 0) throw failures[0];
    },
    discard: async (id, signal) => {
      // Another tab may be finishing it by now: its words must not be removed there.
      const claimed = id === undefined ? undefined : await recordings.resume(id);
      const frames = claimed?.frames ?? take?.frames;
      try {
        await frames?.settled();
        if (frames !== undefined) await throwAway(frames.row, signal);
      } finally {
        await claimed?.release();
      }
    },
    stop: () => {
      captions.stop();
      release().catch(() => {});
    },
  };
}
