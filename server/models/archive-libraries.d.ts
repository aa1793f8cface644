// The used parts of two libraries without types.

declare module "tar-stream" {
  import type { Readable, Writable } from "node:stream";

  interface Headers {
    name: string;
    /** "file", "directory", "symlink", "link", "character-device", … */
    type: string | null;
    size: number;
  }
  export type Entry = Readable & { header: Headers };
  export interface Extract extends Writable, AsyncIterable<Entry> {}
  export function extract(options?: { filenameEncoding?: string }): Extract;
  export interface Pack extends Readable {
    entry(
      header: { name: string; type?: string; size?: number; linkname?: string; mode?: number },
      content?: string | Buffer,
    ): Writable;
    finalize(): void;
  }
  export function pack(): Pack;
}

declare module "unbzip2-stream" {
  import type { Duplex } from "node:stream";

  export default function unbzip2(): Duplex;
}
