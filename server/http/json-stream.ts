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
 * A body of text pieces: the text itself where it fits into one chunk, otherwise a stream of them, produced as fast as it is read;
 * production stops when the reader goes away.
 */
export async function jsonBody(pieces: AsyncIterable<string>): Promise<string | ReadableStream<Uint8Array>> {
  const source = pieces[Symbol.asyncIterator]();
  const { text, isLast } = await nextChunk(source);
  return isLast ? text : streamOf(source, text);
}

/** @param begun what was taken from the source before */
function streamOf(source: AsyncIterator<string>, begun: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let waiting: string | undefined = begun;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { text, isLast } = waiting === undefined ? await nextChunk(source) : { text: waiting, isLast: false };
        waiting = undefined;
        controller.enqueue(encoder.encode(text));
        if (isLast) controller.close();
      },
      cancel: async () => {
        await source.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
