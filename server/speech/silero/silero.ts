import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import type { VoiceActivity } from "#speech/voice-activity.ts";
import { EngineChild } from "../process/child.ts";
import { EnginePool } from "../process/pool.ts";

const program = fileURLToPath(new URL("./program.ts", import.meta.url));
const options = { name: "Silero", program, args: [] };
/** After a failed start, no other is tried for this long (ms). */
const pauseMs = 10 * 60_000;

/**
 * A stream takes 1.2 % of a core and 15 MB. More streams would take cores from recognition; they use energy instead.
 */
const streamsPerCore = 10;
/**
 * A process that had more concurrent streams than this is ended once it has none, because its memory does not shrink.
 */
const swollenAt = 8;

const Digits = v.pipe(v.string(), v.regex(/^[01]*$/));

interface SileroOptions {
  parallel: number;
  isLive?: boolean | undefined;
  maxStreams?: number;
}

/**
 * The Silero detector (MIT license, see LICENSE beside it) in its own processes: one for all live streams, and several
 * for files in parallel. They are started on demand; the one for live streams starts at once where there will be some.
 * Where sherpa-onnx has no library for the system, no voice is detected.
 * @param options.parallel pieces of files that are analyzed in parallel
 * @param options.isLive whether users will speak here
 * @param options.maxStreams most concurrent live streams; further streams get no detection. Default: by the cores
 */
export function openSilero({ parallel, isLive = false, maxStreams }: SileroOptions): VoiceActivity {
  const most = maxStreams ?? streamsPerCore * availableParallelism();
  const files = new EnginePool({ ...options, size: parallel, isBackground: true });
  // Otherwise the first speaker would wait a second for the words.
  let live: Promise<EngineChild> | undefined = isLive ? EngineChild.start(options) : undefined;
  live?.catch(() => undefined);
  let nextStream = 1;
  let [openStreams, peakOpen] = [0, 0];
  let failedAt = Number.NEGATIVE_INFINITY;
  const isPausing = () => performance.now() - failedAt < pauseMs;

  const start = () => EngineChild.start(options);
  /** One process for all concurrent callers. */
  const liveChild = (): Promise<EngineChild> => {
    live = live === undefined ? start() : live.then((child) => (child.isAlive ? child : start()), start);
    live.catch(() => undefined);
    return live;
  };

  /** After the last stream, ends a process that has grown, to free its memory. */
  const shrink = async () => {
    if (openStreams > 0 || peakOpen <= swollenAt) return;
    const swollen = live;
    peakOpen = 0;
    live = undefined;
    if (isLive) void liveChild().catch(() => undefined);
    await (await swollen?.catch(() => undefined))?.close();
  };
  const takePlace = () => {
    let isTaken = true;
    openStreams += 1;
    peakOpen = Math.max(peakOpen, openStreams);
    return () => {
      if (!isTaken) return;
      isTaken = false;
      openStreams -= 1;
      void shrink();
    };
  };

  return {
    windows: async (pcm) => {
      if (isPausing()) return undefined;
      try {
        return v.parse(Digits, await files.use((child) => child.transcribe(pcm, "")));
      } catch {
        failedAt = performance.now();
        return undefined;
      }
    },
    open: async () => {
      if (isPausing() || openStreams >= most) return undefined;
      const leave = takePlace();
      try {
        const child = await liveChild();
        const id = nextStream;
        nextStream += 1;
        child.begin(id, "");
        const close = () => {
          child.discard(id);
          leave();
        };
        return { push: async (pcm) => v.parse(Digits, await child.feed(id, pcm)), close };
      } catch {
        leave();
        failedAt = performance.now();
        return undefined;
      }
    },
    close: async () => {
      const child = await live?.catch(() => undefined);
      await Promise.all([files.close(), child?.close()]);
    },
  };
}
