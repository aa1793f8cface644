/** Sent when so much is there (characters): each piece for itself would cost more than it carries. */
const chunkLength = 64 * 1024;

/** A body out of pieces of text, made as fast as it is taken; nothing more is made when nobody takes it. */
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
