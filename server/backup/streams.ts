import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import { Decrypter } from "age-encryption";
import { type Entry, extract } from "tar-stream";
import { webStreamOf } from "#server/http/web-stream.ts";

/**
 * The entries of an archive, in order.
 * @param identity age's secret key; needed for an encrypted one
 * @throws when it is damaged, or the identity does not open it
 */
export async function* entriesOf(path: string, identity: string | undefined): AsyncGenerator<Entry> {
  if (path.endsWith(".age") && identity === undefined) {
    throw new Error("This backup is encrypted: pass the file with your age identity with --identity.");
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
  return Readable.from(await decrypter.decrypt(webStreamOf(file)), { objectMode: false });
}
