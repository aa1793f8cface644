import { RecogniserError } from "#src/audio/recognise/failure.ts";
import type { RecogniserStream } from "#src/audio/recognise/live.ts";
import { openRecogniser, type Recogniser } from "#src/audio/recognise/recogniser.ts";
import { DeviceFailure } from "./failure.ts";
import type { ModelFiles } from "./files.ts";
import { openStored, readStored, recogniserCache } from "./kept.ts";
import type { Answer, Question } from "./messages.ts";
import { beginLife } from "./worker-life.ts";

// Recognition uses a whole processor, so it runs in a worker and does not block the page. The worker reads the model
// itself; terminating the worker frees the memory.

const streams = new Map<number, RecogniserStream>();
const recordings = new Map<number, AbortController>();

const say = (answer: Answer) => postMessage(answer);

const codes = { brokenModel: "cantOpen", cantDecode: "cantDecode", fellBehind: "tooSlow" } as const;

function codeOf(error: unknown): string {
  if (error instanceof DeviceFailure) return error.code;
  return error instanceof RecogniserError ? codes[error.code] : "internal";
}

/** @throws DeviceFailure `damaged`, `noStorage`; RecogniserError `brokenModel` */
async function open(files: ModelFiles): Promise<Recogniser> {
  const kept = await openStored(recogniserCache);
  return openRecogniser((part) => readStored(kept, files[part]));
}

function listen(recogniser: Recogniser, id: number): void {
  const fail = (code: string) => {
    if (streams.delete(id)) say({ type: "failed", id, code });
  };
  const stream = recogniser.openStream({
    onInterim: (text) => say({ type: "interim", id, text }),
    onFinal: (segment) => say({ type: "final", id, segment }),
    onSlow: () => {
      stream.close();
      fail("tooSlow");
    },
    onError: (error) => fail(codeOf(error)),
  });
  streams.set(id, stream);
}

async function end(id: number): Promise<void> {
  const segments = await streams.get(id)?.end();
  if (segments !== undefined && streams.delete(id)) say({ type: "done", id, segments });
}

async function transcribe(recogniser: Recogniser, id: number, sound: Blob): Promise<void> {
  const controller = new AbortController();
  recordings.set(id, controller);
  const { signal } = controller;
  try {
    const segments = await recogniser.transcribe(sound, {
      onProgress: (fraction) => say({ type: "progress", id, fraction }),
      signal,
    });
    say({ type: "done", id, segments });
  } catch (error) {
    if (!signal.aborted) say({ type: "failed", id, code: codeOf(error) });
  } finally {
    recordings.delete(id);
  }
}

function cancel(id: number): void {
  streams.get(id)?.close();
  streams.delete(id);
  recordings.get(id)?.abort();
}

/** Tasks that arrive before the model is open wait for it. */
const { promise: opened, resolve: ready } = Promise.withResolvers<Recogniser>();

addEventListener("message", async ({ data }: MessageEvent<Question>) => {
  if (data.type === "open") return beginLife(data.lock, async () => ready(await open(data.files)), codeOf);
  const recogniser = await opened;
  if (data.type === "listen") listen(recogniser, data.id);
  if (data.type === "write") streams.get(data.id)?.write(data.pcm);
  // The stream has already reported a failure.
  if (data.type === "end") end(data.id).catch(() => {});
  if (data.type === "transcribe") void transcribe(recogniser, data.id, data.sound);
  if (data.type === "cancel") cancel(data.id);
});
