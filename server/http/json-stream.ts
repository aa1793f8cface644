/** Text is buffered to this length (characters): sending each piece separately would cost too much. */
const chunkLength = 64 * 1024;

/** A body of text pieces, produced as fast as it is read; production stops when the reader goes away. */
export function jsonStream(pieces: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const source = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        let text = "";
        while (text.length < chunkLength) {
          const { done, value } = await source.next();
          if (done === true) {
            controller.enqueue(encoder.encode(text));
            return controller.close();
          }
          text += value;
        }
        controller.enqueue(encoder.encode(text));
      },
      cancel: async () => {
        await source.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
