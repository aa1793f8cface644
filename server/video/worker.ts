import type { Bus } from "#server/bus/bus.ts";
import { describeError } from "#server/log/log.ts";
import { startPoller } from "#server/polling/poller.ts";
import { VideoError } from "./convert.ts";
import { type MakingParts, makeVideo } from "./make.ts";
import { changeMaking, claimVideo, findVideo, maxAttempts, type VideoRow } from "./queries.ts";

export interface VideoWorkerParts extends MakingParts {
  bus: Bus;
}

/** Replacements for tests (milliseconds). */
export interface VideoTimes {
  pollMs?: number;
  beatMs?: number;
}

/**
 * Makes pictures, and videos with captions, one at a time per process, alongside any number of processes. All state is
 * in the rows of `videos`.
 */
export interface VideoWorker {
  /** Cancels the video in progress; another process makes it again, or this one after its next start. */
  close(): Promise<void>;
}

/** Interval of polling the database, in case the bus reports nothing. */
const defaultPollMs = 10_000;
/** Interval of storing the progress, and of checking that the video is still wanted. */
const defaultBeatMs = 2_000;
/** Beats until the video of a dead process is taken over. */
const beatsOfLease = 30;
/** Delay before a retry after a temporary failure. */
const retryMs = 60_000;

export function openVideoWorker(parts: VideoWorkerParts, times: VideoTimes = {}): VideoWorker {
  const { db, now, log, bus } = parts;
  const { pollMs = defaultPollMs, beatMs = defaultBeatMs } = times;
  const leaseMs = beatsOfLease * beatMs;
  const closing = new AbortController();
  let probe: (() => void) | undefined;
  const work = async () => {
    while (!closing.signal.aborted) {
      const row = await claimVideo(db, { now: now(), leaseUntil: now() + leaseMs });
      if (row === undefined) return;
      await make({ ...parts, beatMs, leaseMs }, row, closing.signal, (check) => {
        probe = check;
      });
      probe = undefined;
    }
  };
  const poller = startPoller({ name: "videos", log, pollMs, due: { bus, topic: "videos.changed" } }, work);
  const stopListening = bus.subscribe("videos.changed", () => probe?.());
  return {
    close: async () => {
      closing.abort(new DOMException("The server is stopping.", "AbortError"));
      stopListening();
      await poller.close();
    },
  };
}

interface Beats {
  beatMs: number;
  leaseMs: number;
}

/** Makes one video. The row contains the outcome afterwards. */
async function make(
  parts: VideoWorkerParts & Beats,
  row: VideoRow,
  closing: AbortSignal,
  onStart: (probe: () => void) => void,
): Promise<void> {
  const { db, now, log, beatMs, leaseMs } = parts;
  const gone = new AbortController();
  const signal = AbortSignal.any([closing, gone.signal]);
  let fraction = 0;
  const isWanted = async () => (await findVideo(db, row))?.run === row.run;
  const callOffUnless = (is: Promise<boolean>) =>
    is.then(
      (wanted) => (wanted ? undefined : gone.abort(new DOMException("It is no longer needed.", "AbortError"))),
      (error: unknown) => log.warn("video progress not saved", describeError(error)),
    );
  const beat = () => callOffUnless(changeMaking(db, row, { fraction, next_at: now() + leaseMs }));
  const beating = setInterval(beat, beatMs);
  onStart(() => void callOffUnless(isWanted()));
  try {
    // The earlier attempts killed their processes before they could report a reason.
    if (row.attempts > maxAttempts) throw new VideoError("unreadable", "It failed too often.");
    const onProgress = (reached: number) => {
      fraction = reached;
    };
    await makeVideo(parts, row, { signal, onProgress });
  } catch (error) {
    if (gone.signal.aborted) return;
    await settle(parts, row, closing.aborted ? "closing" : error);
  } finally {
    clearInterval(beating);
  }
}

/** @param error "closing": the video is handed back, without counting the attempt */
async function settle({ db, now, log }: VideoWorkerParts, row: VideoRow, error: unknown): Promise<void> {
  if (error === "closing") {
    await changeMaking(db, row, { state: "waiting", next_at: now(), attempts: row.attempts - 1 });
    return;
  }
  if (!(error instanceof VideoError)) log.warn("video not made", { id: row.transcription_id, ...describeError(error) });
  if (error instanceof VideoError || row.attempts >= maxAttempts) {
    const problem = error instanceof VideoError ? error.problem : "unreadable";
    await changeMaking(db, row, { state: "failed", problem, finished_at: now() });
    return;
  }
  await changeMaking(db, row, { state: "waiting", next_at: now() + retryMs });
}
