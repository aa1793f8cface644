import type { KeptTry, TryLanguages } from "#machines/tryout/machine.ts";
import type { Captions } from "#src/audio/captions.ts";
import type { FrameLog } from "#src/audio/frame-log.ts";
import type { Microphone } from "#src/audio/microphone.ts";
import { nobody, type RecordingDb, type RecordingRow } from "#src/audio/recording-db.ts";
import { frameSeconds, type Recordings, type Take } from "#src/audio/recordings.ts";
import { wavHeader } from "#src/audio/wav.ts";
import type { Store } from "#src/browser/store.ts";

/** Less is a slip of the finger (seconds). */
const leastSeconds = 0.5;
/** What nobody has taken along by then is removed (ms). */
const longestKeptMs = 7 * 24 * 60 * 60 * 1000;

export interface TryRecordingParts {
  db: Pick<RecordingDb, "put">;
  recordings: Recordings;
  captions: Captions;
  level: Store<number>;
  elapsed: Store<number>;
  /** That something is kept in this browser, so that a page that is loaded again looks for it. */
  mark: { set(): void; remove(): void };
  openMicrophone(signal: AbortSignal): Promise<Microphone>;
  /** Epoch ms. */
  now(): number;
}

/** What the actors of a try share: the recording that is open, in this browser alone. Every method that rejects has a code, or none. */
export interface TryRecording {
  find(): Promise<KeptTry | null>;
  begin(languages: TryLanguages, signal: AbortSignal): Promise<void>;
  /** Records until the returned function is called. */
  capture(onUnplugged: () => void): () => void;
  /** What is to be heard in these languages. @throws Error when no recording is open */
  heardIn(languages: TryLanguages): FrameLog;
  /** All of it, as audio/wav. */
  sound(): Promise<Blob>;
  /** Writes down the words so far beside the sound. */
  writeDown(isHeard: boolean): void;
  keep(isHeard: boolean): Promise<KeptTry | null>;
  /** @returns the id of the recording that it is now, among this person's unfinished ones */
  adopt(ownerId: string): Promise<string>;
  discard(): Promise<void>;
}

export function createTryRecording(parts: TryRecordingParts): TryRecording {
  const { recordings, captions, level, elapsed, mark } = parts;
  let take: Take | undefined;
  let microphone: Microphone | undefined;

  const release = async () => {
    microphone?.close();
    microphone = undefined;
    const before = take;
    take = undefined;
    await before?.frames.settled();
    await before?.release();
  };
  const clear = async () => {
    const id = take?.frames.row.id;
    await release();
    if (id !== undefined) await recordings.remove(id).catch(() => {});
    mark.remove();
    captions.begin(undefined);
    elapsed.set(0);
  };
  const writeDown = (isHeard: boolean) => {
    const heard = captions.get().lines.map(({ translating: _, ...segment }) => segment);
    take?.frames.change({ heard, heardToEnd: isHeard });
  };
  const secondsOf = ({ frames }: Take) => frames.written * frameSeconds;
  const languagesOf = ({ frames: { row } }: Take): TryLanguages => ({ source: row.sourceLanguage, target: row.targetLanguage });
  const openFrames = () => {
    if (take === undefined) throw new Error("No recording is open.");
    return take.frames;
  };

  return {
    find: async () => {
      for (const { id, startedAt } of await recordings.leftovers(nobody, new Set())) {
        take = await recordings.resume(id);
        if (parts.now() - startedAt < longestKeptMs) {
          captions.begin(undefined);
          captions.replace(take.frames.row.heard ?? []);
          elapsed.set(secondsOf(take));
          return { seconds: secondsOf(take), isHeard: take.frames.row.heardToEnd === true, languages: languagesOf(take) };
        }
        await clear();
      }
      mark.remove();
      return null;
    },
    begin: async ({ source, target }, signal) => {
      await release();
      const opened = await parts.openMicrophone(signal);
      const begun = await recordings.begin({
        ownerId: nobody,
        sourceLanguage: source,
        targetLanguage: target,
        startedAt: parts.now(),
      });
      [take, microphone] = [begun, opened];
      if (signal.aborted) await clear();
      signal.throwIfAborted();
      mark.set();
      captions.begin(undefined);
      elapsed.set(0);
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
        onLevel: (loudness) => level.set(loudness),
        onLost: onUnplugged,
      });
      return () => {
        opened?.close();
        frames?.end();
        level.set(0);
      };
    },
    heardIn: ({ source, target }) => {
      const frames = openFrames();
      const { sourceLanguage, targetLanguage } = frames.row;
      if (sourceLanguage !== source || targetLanguage !== target)
        frames.change({ sourceLanguage: source, targetLanguage: target, heard: [], heardToEnd: false });
      return frames;
    },
    sound: async () => {
      const frames = openFrames();
      const sound = await frames.read(0, frames.written);
      const bytes = sound.reduce((sum, { length }) => sum + length, 0);
      return new Blob([wavHeader(bytes / 2), ...sound], { type: "audio/wav" });
    },
    writeDown,
    keep: async (isHeard) => {
      const kept = take;
      if (kept === undefined) return null;
      writeDown(isHeard);
      await kept.frames.settled();
      const seconds = secondsOf(kept);
      if (seconds >= leastSeconds) return { seconds, isHeard, languages: languagesOf(kept) };
      await clear();
      return null;
    },
    adopt: async (ownerId) => {
      const frames = openFrames();
      await frames.settled();
      const { id, sourceLanguage, targetLanguage, startedAt } = frames.row;
      const row: RecordingRow = {
        id,
        sourceLanguage,
        targetLanguage,
        startedAt,
        ownerId,
        // The server has not heard of it: it hears all of it, for this person.
        recordingId: crypto.randomUUID(),
        clientId: crypto.randomUUID(),
        base: 0,
        confirmed: 0,
        frames: frames.written,
        reached: false,
        fate: "open",
      };
      await parts.db.put(row);
      await release();
      mark.remove();
      return id;
    },
    discard: clear,
  };
}
