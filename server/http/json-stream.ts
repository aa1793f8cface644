import { webStreamOf } from "./web-stream.ts";

/** Text is buffered to this length (characters): sending each piece separately would cost too much. */
const chunkLength = 64 * 1024;

/** The next pieces, up to about a chunk. */
async function nextChunk(source: AsyncIterator<string>): Promise<{ text: string; isLast: boolean }> {
  let text = "";
  while (text.length < chunkLength) {
    const { done, value } = await source.next();
    if (done === true) return { text, isLast: true };
    text += value;
  }
  return { text, isLast: false };
}

/**
 * A body of text pieces: the text itself if it fits into one chunk, otherwise a stream of them, produced as fast as it
 * is read; production stops when the reader disconnects.
 */
export async function jsonBody(pieces: AsyncIterable<string>): Promise<string | ReadableStream<Uint8Array>> {
  const source = pieces[Symbol.asyncIterator]();
  const { text, isLast } = await nextChunk(source);
  return isLast ? text : webStreamOf(encoded(source, text));
}

/** @param begun the part already taken from the source */
async function* encoded(source: AsyncIterator<string>, begun: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  try {
    yield encoder.encode(begun);
    for (let isLast = false; !isLast; ) {
      const next = await nextChunk(source);
      yield encoder.encode(next.text);
      isLast = next.isLast;
    }
  } finally {
    await source.return?.();
  }
}
