import { PassThrough, type Readable, Writable } from "node:stream";
import { hintGc } from "#server/threads/gc-hint.ts";
import { rethrown } from "./bucket-errors.ts";

/**
 * A stream that is stored while it is written. It finishes once `put` has stored it; if destroyed earlier, it leaves
 * nothing.
 */
export function writableOf(put: (content: AsyncIterable<Uint8Array>) => Promise<number>): {
  stream: Writable;
  readonly bytes: number;
} {
  const inner = new PassThrough({ highWaterMark: 128 * 1024 });
  let bytes = 0;
  const stored = put(inner);
  const stream = new Writable({
    highWaterMark: 128 * 1024,
    write: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      if (inner.write(chunk)) done();
      else inner.once("drain", done);
    },
    final: (done) => {
      inner.end();
      stored.then(() => done(), done);
    },
    destroy: (error, done) => {
      if (!inner.writableFinished) inner.destroy(error ?? new Error("The upload was interrupted."));
      stored.then(
        () => done(error),
        () => done(error),
      );
    },
  });
  stored.catch((error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))));
  return {
    stream,
    get bytes() {
      return bytes;
    },
  };
}

/** A body that is requested with the first read, and released when canceled. */
export function streamOf(open: () => Promise<Readable>): ReadableStream<Uint8Array> {
  let opening: Promise<Readable> | undefined;
  let chunks: AsyncIterator<Buffer> | undefined;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    opening ??= open();
    chunks ??= (await opening)[Symbol.asyncIterator]();
    const { done, value } = await chunks.next();
    if (done === true) return controller.close();
    hintGc(value.length);
    controller.enqueue(value);
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull: (controller) => pull(controller).catch(rethrown),
    cancel: async () => void (await opening?.catch(() => undefined))?.destroy(),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
