import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import { Decrypter } from "age-encryption";
import { type Entry, extract } from "tar-stream";

/** A stream as age takes it. */
export function asWeb(stream: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<unknown> = stream[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else if (value instanceof Uint8Array) controller.enqueue(value);
    },
    cancel: () => void stream.destroy(),
  });
}

/** The other way around. */
export function fromWeb(stream: ReadableStream<Uint8Array>): Readable {
  async function* chunks() {
    const reader = stream.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  }
  return Readable.from(chunks(), { objectMode: false });
}

/**
 * The entries of an archive, in order.
 * @param identity age's secret key; needed for an encrypted one
 * @throws when it is damaged, or the identity does not open it
 */
export async function* entriesOf(path: string, identity: string | undefined): AsyncGenerator<Entry> {
  if (path.endsWith(".age") && identity === undefined) {
    throw new Error("This backup is encrypted: name the file with your age identity by --identity.");
  }
  const file = createReadStream(path, { highWaterMark: 1024 * 1024 });
  const unpacked = createZstdDecompress();
  try {
    const bytes = path.endsWith(".age") ? await decrypted(file, identity ?? "") : file;
    const tar = extract();
    const fail = (error: Error) => void tar.destroy(error);
    for (const stream of [file, bytes, unpacked]) stream.on("error", fail);
    bytes.pipe(unpacked).pipe(tar);
    for await (const entry of tar) yield entry;
  } finally {
    file.destroy();
    unpacked.destroy();
  }
}

async function decrypted(file: Readable, identity: string): Promise<Readable> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return fromWeb(await decrypter.decrypt(asWeb(file)));
}
