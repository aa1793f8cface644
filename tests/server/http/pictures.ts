import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { crc32, createDeflate } from "node:zlib";
import type { Person } from "#tests/server/harness.ts";

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A valid PNG of these dimensions in one shade of gray: a small file with many pixels. */
export async function flatPng(width: number, height: number): Promise<Buffer<ArrayBuffer>> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  // Each row begins with a byte that names its filter. Deflated as a stream, so that the test's server is not blocked.
  const row = Buffer.alloc(1 + width);
  const rows = Readable.from(Array.from({ length: height }, () => row));
  const data = await buffer(rows.pipe(createDeflate({ level: 9 })));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunkOf("IHDR", head), chunkOf("IDAT", data), chunkOf("IEND", Buffer.alloc(0))]);
}

export type Picture = Buffer<ArrayBuffer>;

/** The two ways to upload a picture. */
export const ways = {
  "a person's picture": (server: { apiUrl: string }, { token }: Person, bytes: Picture) =>
    fetch(`${server.apiUrl}/users/me/avatar`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "image/png" },
      body: bytes,
    }),
  "a post's picture": (_: unknown, person: Person, bytes: Picture) => {
    const form = new FormData();
    form.set("image", new Blob([bytes], { type: "image/png" }), "x.png");
    return person.call("POST", "/admin/blog/upload-image", form);
  },
};
export const everyWay = Object.entries(ways);
