import type { PersistedTry, TryLanguages } from "#machines/tryout/machine.ts";
import type { Captions } from "#src/audio/captions.ts";
import type { FrameLog } from "#src/audio/frame-log.ts";
import type { Microphone } from "#src/audio/microphone.ts";
import { createOpenRecording } from "#src/audio/open-recording.ts";
import { nobody, type RecordingDb, type RecordingRow } from "#src/audio/recording-db.ts";
import { frameSeconds, type Recordings } from "#src/audio/recordings.ts";
import { wavOf } from "#src/audio/wav.ts";
import type { Store } from "#src/browser/store.ts";

/** Shorter recordings count as accidental (seconds). */
const minSeconds = 0.5;
/** Recordings that nobody has moved into an account by then are deleted (ms). */
const recordingAgeMs = 7 * 24 * 60 * 60 * 1000;

export interface TryRecordingParts {
  db: Pick<RecordingDb, "put">;
  recordings: Recordings;
  captions: Captions;
  level: Store<number>;
  elapsed: Store<number>;
  /** Marks that this browser has a recording, so that a reloaded page looks for it. */
  mark: { set(): void; remove(): void };
  openMicrophone(signal: AbortSignal): Promise<Microphone>;
  /** Epoch ms. */
  now(): number;
}

/**
 * The open recording of a try, which stays in this browser. Shared by the try's actors. A rejection may have a code.
 */
export interface TryRecording {
  find(): Promise<PersistedTry | null>;
  begin(languages: TryLanguages, signal: AbortSignal): Promise<void>;
  /** Records until the caller calls the returned function. */
  capture(onUnplugged: () => void): () => void;
  /** Sets the languages to recognize. @throws Error when no recording is open */
  recognizeIn(languages: TryLanguages): FrameLog;
  /** The whole recording, as audio/wav. */
  sound(): Promise<Blob>;
  /** Persists the words so far beside the audio. */
  writeDown(isRecognized: boolean): void;
  keep(isRecognized: boolean): Promise<PersistedTry | null>;
  /** @returns the recording's new id among the user's unfinished recordings */
  adopt(ownerId: string): Promise<string>;
  discard(): Promise<void>;
}

export function createTryRecording(parts: TryRecordingParts): TryRecording {
  const { recordings, captions, elapsed, mark } = parts;
  const open = createOpenRecording(parts);
  const clear = async () => {
    const id = open.owned?.frames.row.id;
    await open.release();
    if (id !== undefined) await recordings.remove(id).catch(() => {});
    mark.remove();
    captions.begin(undefined);
    elapsed.set(0);
  };
  const writeDown = (isRecognized: boolean) => {
    const heard = captions.get().lines.map(({ translating: _, ...segment }) => segment);
    open.owned?.frames.change({ heard, heardToEnd: isRecognized });
  };
  const openFrames = () => {
    if (open.owned === undefined) throw new Error("No recording is open.");
    return open.owned.frames;
  };
  return {
    find: async () => {
      for (const { id, startedAt } of await recordings.leftovers(nobody, new Set())) {
        const stored = await recordings.resume(id);
        const { frames } = stored;
        open.hold(stored);
        if (parts.now() - startedAt < recordingAgeMs) {
          captions.begin(undefined);
          captions.replace(frames.row.heard ?? []);
          elapsed.set(secondsOf(frames));
          return { seconds: secondsOf(frames), isRecognized: frames.row.heardToEnd === true, languages: languagesOf(frames) };
        }
        await clear();
      }
      mark.remove();
      return null;
    },
    begin: async ({ source, target }, signal) => {
      await open.release();
      const opened = await parts.openMicrophone(signal);
      const languages = { sourceLanguage: source, targetLanguage: target };
      open.hold(await recordings.begin({ ownerId: nobody, ...languages, startedAt: parts.now() }), opened);
      if (signal.aborted) await clear();
      signal.throwIfAborted();
      mark.set();
      captions.begin(undefined);
      elapsed.set(0);
    },
    capture: (onUnplugged) => {
      const frames = open.owned?.frames;
      const end = open.capture({ onLost: onUnplugged });
      return () => {
        end();
        frames?.end();
      };
    },
    recognizeIn: ({ source, target }) => {
      const frames = openFrames();
      const { sourceLanguage, targetLanguage } = frames.row;
      if (sourceLanguage !== source || targetLanguage !== target)
        frames.change({ sourceLanguage: source, targetLanguage: target, heard: [], heardToEnd: false });
      return frames;
    },
    sound: () => wavOf(openFrames(), 0),
    writeDown,
    keep: async (isRecognized) => {
      const frames = open.owned?.frames;
      if (frames === undefined) return null;
      writeDown(isRecognized);
      await frames.settled();
      if (secondsOf(frames) >= minSeconds) return { seconds: secondsOf(frames), isRecognized, languages: languagesOf(frames) };
      await clear();
      return null;
    },
    adopt: async (ownerId) => {
      const frames = openFrames();
      await frames.settled();
      await parts.db.put(rowOf(frames, ownerId));
      await open.release();
      mark.remove();
      return frames.row.id;
    },
    discard: clear,
  };
}

const secondsOf = ({ written }: FrameLog) => written * frameSeconds;
const languagesOf = ({ row }: FrameLog): TryLanguages => ({ source: row.sourceLanguage, target: row.targetLanguage });

/**
 * A user's recording with the audio of a try. The server does not know the try, so it recognizes all of the audio
 * again.
 */
function rowOf({ row, written }: FrameLog, ownerId: string): RecordingRow {
  const { id, sourceLanguage, targetLanguage, startedAt } = row;
  return {
    id,
    sourceLanguage,
    targetLanguage,
    startedAt,
    ownerId,
    recordingId: crypto.randomUUID(),
    clientId: crypto.randomUUID(),
    base: 0,
    confirmed: 0,
    frames: written,
    reached: false,
    fate: "open",
  };
}
