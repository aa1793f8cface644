import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { EngineChild } from "../process/child.ts";
import { EnginePool } from "../process/pool.ts";

const program = fileURLToPath(new URL("./program.ts", import.meta.url));
/**
 * From this certainty on a window is a voice. On 27 s of flite, clean, 30 dB softer, with hum and with pink noise 5 dB below it, and on 11 s of a real voice, 0.3 misses
 * no word, and is as deaf to noise, hum and tones as 0.5.
 */
const threshold = 0.3;
const options = { name: "Silero", program, args: [String(threshold)] };
/** Samples of a window. */
export const sileroWindow = 512;
/** A process that could not be started is not started again for this long (ms). */
const pauseMs = 10 * 60_000;

const Digits = v.pipe(v.string(), v.regex(/^[01]*$/));

/** Tells in which windows of `sileroWindow` samples somebody speaks: a digit for each, 1 for a voice. */
export interface VoiceActivity {
  /** Of a recording of at most 120 s, its unfinished last window included; undefined when that can't be told here. */
  windows(pcm: Buffer): Promise<string | undefined>;
  /** Undefined when that can't be told here. */
  open(): Promise<ActivityStream | undefined>;
  close(): Promise<void>;
}

export interface ActivityStream {
  /** The windows that are whole now. @throws SpeechError when its process has ended */
  push(pcm: Buffer): Promise<string>;
  close(): void;
}

/**
 * The Silero detector (MIT licence, see LICENSE beside it) in processes of their own: one for all live streams, so many for files that work side
 * by side. They are started when they are first wanted, the one for live streams at once where there will be some. Where sherpa-onnx has no library for the system, nothing can be told.
 * @param options.parallel pieces of files that are looked at side by side
 * @param options.isLive whether people will speak here
 */
export function openSilero({ parallel, isLive = false }: { parallel: number; isLive?: boolean | undefined }): VoiceActivity {
  const files = new EnginePool({ ...options, size: parallel });
  // Whoever speaks first would wait a second for their words.
  let live = isLive ? EngineChild.start(options) : undefined;
  live?.catch(() => undefined);
  let nextStream = 1;
  let failedAt = Number.NEGATIVE_INFINITY;
  const isPausing = () => performance.now() - failedAt < pauseMs;

  const liveChild = async (): Promise<EngineChild> => {
    const current = await live?.catch(() => undefined);
    if (current?.isAlive === true) return current;
    live = EngineChild.start(options);
    return live;
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
      if (isPausing()) return undefined;
      try {
        const child = await liveChild();
        const id = nextStream;
        nextStream += 1;
        child.begin(id, "");
        return { push: async (pcm) => v.parse(Digits, await child.feed(id, pcm)), close: () => child.discard(id) };
      } catch {
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
