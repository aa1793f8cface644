import type { DbParts } from "#server/db/open.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { AudioError, type decodeToPcm } from "#server/speech/index.ts";
import { recognizedTrack } from "#server/speech/tracks.ts";
import type { Storage } from "#server/storage/storage.ts";
import { hintGc } from "#server/threads/gc-hint.ts";
import { queues } from "#server/threads/queues.ts";
import { Slots } from "#server/threads/slots.ts";
import { findTranscriptionOfAnybody } from "#server/transcription/queries.ts";
import { pcmRate } from "#speech/bytes.ts";
import { PeaksCollector } from "./collector.ts";
import { keepPeaks } from "./keep.ts";

/** Makes missing peaks: for audio of earlier releases, and for conversations. */
export interface PeaksMaker {
  /**
   * Starts making the peaks, unless already started. One audio per user at a time.
   * @returns "unable" for some minutes after a temporary failure (no ffmpeg, a full disk); otherwise the peaks will
   *   be there later, or have to be requested again
   */
  ask(transcription: { id: string; userId: string }): "making" | "unable";
  /** Stops the work in progress. */
  close(): Promise<void>;
}

interface Parts extends DbParts {
  config: { maxAudioSeconds: number };
  storage: Storage;
  decode: typeof decodeToPcm;
  log: Log;
}

/** Pause after a failure (milliseconds). */
const restMs = 10 * 60 * 1000;
/** Most failures that are remembered. */
const maxFailures = 1_000;

export function createPeaksMaker(parts: Parts): PeaksMaker {
  const { now, log } = parts;
  const closing = new AbortController();
  const slots = new Slots(queues.waveforms);
  const underWay = new Map<string, Promise<void>>();
  /** Time of the failure, by transcription. */
  const failed = new Map<string, number>();
  const make = async (id: string, signal: AbortSignal) => {
    try {
      await makePeaks(parts, id, signal);
    } catch (error) {
      if (closing.signal.aborted) return;
      log.warn("peaks not made", { id, ...describeError(error) });
      const [oldest] = failed.keys();
      if (failed.size >= maxFailures && oldest !== undefined) failed.delete(oldest);
      failed.set(id, now());
    }
  };
  return {
    ask: ({ id, userId }) => {
      if (now() - (failed.get(id) ?? Number.NEGATIVE_INFINITY) < restMs) return "unable";
      if (closing.signal.aborted || underWay.has(userId)) return "making";
      const making = slots
        .run(closing.signal, (signal) => make(id, signal), { person: userId })
        // The maker was closed before the task's turn.
        .catch(() => {})
        .finally(() => underWay.delete(userId));
      underWay.set(userId, making);
      return "making";
    },
    close: async () => {
      closing.abort();
      await Promise.all(underWay.values());
    },
  };
}

/**
 * Undecodable audio gets peaks without pairs, so that it is not tried again. @throws disk errors; Problem; AudioError
 * `internal`
 */
async function makePeaks({ config, decode, ...parts }: Parts, id: string, signal: AbortSignal): Promise<void> {
  const audio = await parts.storage.audio(id);
  const row = await findTranscriptionOfAnybody(parts.db, id);
  if (audio === undefined || row === undefined) return;
  let collector = new PeaksCollector();
  const onPcm = (chunk: Buffer) => {
    collector.push(chunk);
    hintGc(chunk.length);
  };
  await using source = await parts.storage.localAudio(id);
  const options = { signal, maxSamples: config.maxAudioSeconds * pcmRate, onPcm, track: recognizedTrack(row) };
  await decode(source.path, options).catch((error: unknown) => {
    if (!(error instanceof AudioError) || error.code === "internal") throw error;
    collector = new PeaksCollector();
  });
  await keepPeaks(parts, row, collector.finish(audio.size));
}
