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

/** Makes pictures, and videos with captions, alongside any number of other processes: one at a time. The rows of `videos` are the truth. */
export interface VideoWorker {
  /** What is under way is called off; another process makes it anew, or the next start. */
  close(): Promise<void>;
}

/** How often the database is polled for what is due, should the bus not say it. */
const defaultPollMs = 10_000;
/** How often it is written down how far it is, and looked whether it is still wanted. */
const defaultBeatMs = 2_000;
/** What a process had that died is made again after so many of these. */
const beatsOfLease = 30;
/** When what failed for a reason that may pass is tried again. */
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
      closing.abort(new DOMException("The server stops.", "AbortError"));
      stopListening();
      await poller.close();
    },
  };
}

interface Beats {
  beatMs: number;
  leaseMs: number;
}

/** Makes one; whatever becomes of it is in its row afterwards. */
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
      (wanted) => (wanted ? undefined : gone.abort(new DOMException("Nobody wants it any more.", "AbortError"))),
      (error: unknown) => log.warn("video", describeError(error)),
    );
  const beat = () => callOffUnless(changeMaking(db, row, { fraction, next_at: now() + leaseMs }));
  const beating = setInterval(beat, beatMs);
  onStart(() => void callOffUnless(isWanted()));
  try {
    // Whatever has killed its processes before it could say why.
    if (row.attempts > maxAttempts) throw new VideoError("unreadable", "It was tried too often.");
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

/** @param error "closing": it is handed back, as if it had not been tried */
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
