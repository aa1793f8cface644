import type { FinalTranscription, SpeechLanguage } from "../api/contract/index.ts";
import type { Captions, Translate } from "./captions.ts";
import { finalTranscriptionOf } from "./final-transcription.ts";
import type { Microphone } from "./microphone.ts";
import type { RecordingRow } from "./recording-db.ts";
import { frameSeconds, type Leftover, type Recordings, type Take } from "./recordings.ts";
import type { Store } from "./store.ts";

interface Languages {
  sourceLanguage: SpeechLanguage;
  targetLanguage: string | null;
}

export interface DictationParts {
  recordings: Recordings;
  captions: Captions;
  level: Store<number>;
  elapsed: Store<number>;
  openMicrophone(signal: AbortSignal): Promise<Microphone>;
  /** The signed-in person. */
  ownerId(): string | null;
  /** Epoch ms. */
  now(): number;
  /** A title for what has no words; ISO 8601. */
  titleByDate(iso: string): string;
  translate(text: string, languages: { source: string; target: string }, signal: AbortSignal): Promise<string>;
  unsaved: {
    list(): readonly FinalTranscription[];
    /** @returns false when the browser has no room */
    keep(transcription: FinalTranscription, ownerId: string): boolean;
    drop(clientId: string): void;
  };
  /** @returns its id. Saving twice under one client id saves once. */
  saveFinal(transcription: FinalTranscription, signal: AbortSignal): Promise<string>;
  removeTranscription(id: string, signal: AbortSignal): Promise<void>;
}

/** What the recorder's actors do; they share the recording that is open. Every method that rejects does so with an error that has a code. */
export interface Dictation {
  /** The recording that is open. */
  readonly take: Take | undefined;
  /** Lets go of what is open, and finds what was not finished. */
  leftovers(signal: AbortSignal): Promise<Leftover[]>;
  begin(languages: Languages, signal: AbortSignal): Promise<void>;
  /** Takes what the microphone hears until the returned function is called. */
  capture(onUnplugged: () => void): () => void;
  /** Opens what was not finished. @returns its languages */
  resume(id: string, signal: AbortSignal): Promise<Languages>;
  /** Saves what is open. @returns the transcription's id */
  save(signal: AbortSignal): Promise<string>;
  saveUnsaved(signal: AbortSignal): Promise<void>;
  /** Throws away what is open, or what was not finished; the server is told as soon as it can be. */
  discard(id: string | undefined, signal: AbortSignal): Promise<void>;
  stop(): void;
}

export function createDictation(parts: DictationParts): Dictation {
  const { recordings, captions, level, elapsed, unsaved } = parts;
  let take: Take | undefined;
  let microphone: Microphone | undefined;

  const letGo = async () => {
    microphone?.close();
    microphone = undefined;
    const before = take;
    take = undefined;
    // Its last frame must be kept before another tab may have it.
    await before?.frames.settled();
    await before?.release();
  };
  const openCaptions = ({ sourceLanguage: source, targetLanguage: target }: Languages) => {
    const translate: Translate | undefined =
      target === null ? undefined : (text, signal) => parts.translate(text, { source, target }, signal);
    captions.begin(translate);
    level.set(0);
    elapsed.set(0);
  };
  const finalOf = (row: RecordingRow) => finalTranscriptionOf(row, captions.get().lines, parts.titleByDate);

  /** The server keeps what it has of a recording until it is told what becomes of it: it is saved, empty, and deleted. */
  const tellDiscarded = async (row: RecordingRow, signal: AbortSignal) => {
    if (row.reached) {
      const id = await parts.saveFinal(finalTranscriptionOf(row, [], parts.titleByDate), signal);
      await parts.removeTranscription(id, signal);
    }
    await recordings.forget(row.id);
  };
  const throwAway = async (row: RecordingRow, signal: AbortSignal) => {
    await recordings.discard(row).catch(() => {});
    await tellDiscarded(row, signal);
  };
  const retryDiscarded = async (ownerId: string, signal: AbortSignal) => {
    for (const row of await recordings.discarded(ownerId)) {
      if (parts.ownerId() !== ownerId) return;
      await tellDiscarded(row, signal);
    }
  };

  return {
    get take() {
      return take;
    },
    leftovers: async (signal) => {
      await letGo();
      const ownerId = parts.ownerId();
      if (ownerId === null) return [];
      retryDiscarded(ownerId, signal).catch(() => {});
      return recordings.leftovers(ownerId, new Set(unsaved.list().map(({ clientId }) => clientId)));
    },
    begin: async (languages, signal) => {
      const ownerId = parts.ownerId();
      if (ownerId === null) throw Object.assign(new Error("Nobody is signed in."), { code: "unauthorized" });
      await letGo();
      const opened = await parts.openMicrophone(signal);
      const begun = await recordings.begin({ ownerId, ...languages, startedAt: parts.now() });
      if (signal.aborted) {
        opened.close();
        await recordings.forget(begun.frames.row.id).catch(() => {});
        await begun.release();
        signal.throwIfAborted();
      }
      openCaptions(languages);
      take = begun;
      microphone = opened;
    },
    capture: (onUnplugged) => {
      const [frames, opened] = [take?.frames, microphone];
      let samples = 0;
      opened?.listen({
        onFrame: (pcm) => {
          samples += pcm.length / 2;
          frames?.append(pcm);
          elapsed.set(samples / 16_000);
        },
        onLevel: level.set,
        onLost: onUnplugged,
      });
      return () => {
        opened?.close();
        frames?.end();
        level.set(0);
      };
    },
    resume: async (id, signal) => {
      await letGo();
      const resumed = await recordings.resume(id);
      if (signal.aborted) await resumed.release();
      signal.throwIfAborted();
      const { row, written } = resumed.frames;
      openCaptions(row);
      elapsed.set((written - row.base) * frameSeconds);
      take = resumed;
      return { sourceLanguage: row.sourceLanguage, targetLanguage: row.targetLanguage };
    },
    save: async (signal) => {
      const frames = take?.frames;
      if (frames === undefined) throw new Error("No recording is open.");
      // Before the translation is waited for: from here on the words outlive the page.
      const { ownerId } = frames.row;
      if (unsaved.keep(finalOf(frames.row), ownerId)) frames.change({ fate: "kept" });
      await frames.settled();
      await captions.translated();
      signal.throwIfAborted();
      const final = finalOf(frames.row);
      unsaved.keep(final, ownerId);
      const id = await parts.saveFinal(final, signal);
      unsaved.drop(final.clientId);
      await frames.settled();
      await recordings.forget(frames.row.id).catch(() => {});
      await letGo();
      return id;
    },
    saveUnsaved: async (signal) => {
      const failures: unknown[] = [];
      for (const final of unsaved.list()) {
        await parts.saveFinal(final, signal).then(
          () => unsaved.drop(final.clientId),
          (error: unknown) => failures.push(error),
        );
        signal.throwIfAborted();
      }
      if (failures.length > 0) throw failures[0];
    },
    discard: async (id, signal) => {
      // Another tab may be finishing it by now: its words are not taken away from there.
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
      letGo().catch(() => {});
    },
  };
}
