import { Readable } from "node:stream";
import type { S3ClientConfig } from "@aws-sdk/client-s3";
import { hintGc } from "#server/threads/gc-hint.ts";
import { rethrown } from "./bucket-errors.ts";

export interface Appended {
  /** The file's new length, in bytes. */
  end: number;
  failure: unknown;
}

/** Files that arrive in parts in a bucket. A file becomes visible with its last byte. */
export interface BucketAppends {
  /** Begins a file of `size` bytes, unless it has been begun or is complete. */
  begin(key: string, size: number): Promise<void>;
  /** Bytes that have arrived; undefined when the file has not been begun. */
  arrived(key: string): Promise<number | undefined>;
  /**
   * Appends at the end. If the source fails, the bytes before the failure are kept. The file becomes visible with its
   * last byte.
   */
  append(key: string, offset: number, source: AsyncIterable<Uint8Array>): Promise<Appended>;
  /**
   * Makes a file visible whose bytes have all arrived, and deletes its temporary objects. False when bytes are missing.
   */
  finish(key: string): Promise<boolean>;
}

interface Options {
  config: S3ClientConfig & { bucket: string };
  /** Prefix of every key. */
  prefix: string;
  /** Size of a visible object; undefined when there is none. */
  sizeOf(key: string): Promise<number | undefined>;
  remove(key: string): Promise<void>;
  keysBelow(begin: string): AsyncIterable<string>;
}

/** Parts uploaded at the same time, each of 8 MiB. They wait in the system's temporary folder. */
const partsAtOnce = 4;

/**
 * The multipart uploads of @tus/s3-store. Each part is an S3 upload of its own. A rest too small for a part is an
 * object beside it, and another object holds the metadata. The process keeps no state, so that any process can
 * continue.
 */
export async function createAppends({ config, prefix, sizeOf, remove, keysBelow }: Options): Promise<BucketAppends> {
  // Loaded on demand, because it takes a part of the start-up time.
  const { DurableS3Store, restPrefix } = await import("./bucket-parts.ts");
  const { Upload } = await import("@tus/server");
  const nothing = { get: async () => undefined, set: async () => {}, delete: async () => {} };
  const store = new DurableS3Store({
    s3ClientConfig: config,
    useTags: false,
    maxConcurrentPartUploads: partsAtOnce,
    cache: nothing,
  });
  const known = async (key: string) => {
    // The store treats every failure like a missing upload, so whether the upload exists is checked separately.
    if ((await sizeOf(`${key}.info`)) === undefined) return undefined;
    return store.getUpload(prefix + key).catch(rethrown);
  };
  const arrived = async (key: string) => (await sizeOf(key)) ?? (await known(key))?.offset;
  const write = async (key: string, offset: number, source: AsyncIterable<Uint8Array>): Promise<Appended> => {
    let failure: unknown;
    const untilItFails = async function* () {
      try {
        for await (const chunk of source) {
          hintGc(chunk.length);
          yield chunk;
        }
      } catch (error) {
        failure = error;
      }
    };
    const end = await store.write(Readable.from(untilItFails(), { objectMode: false }), prefix + key, offset).catch(rethrown);
    return { end, failure };
  };
  /** The last request for each key; the next one waits for it. */
  const writing = new Map<string, Promise<unknown>>();
  const append: BucketAppends["append"] = (key, offset, source) => {
    const before = writing.get(key) ?? Promise.resolve();
    const own = before.catch(() => {}).then(() => write(key, offset, source));
    const ended = own
      .catch(() => {})
      .then(() => {
        if (writing.get(key) === ended) writing.delete(key);
      });
    writing.set(key, ended);
    return own;
  };
  return {
    begin: async (key, size) => {
      if ((await arrived(key)) !== undefined) return;
      await store.create(new Upload({ id: prefix + key, size, offset: 0 })).catch(rethrown);
    },
    arrived,
    append,
    finish: async (key) => {
      if ((await sizeOf(key)) === undefined) {
        const upload = await known(key);
        if (upload === undefined || upload.offset !== upload.size) return false;
        await append(key, upload.offset, emptySource());
      }
      for await (const rest of keysBelow(restPrefix(key))) await remove(rest);
      await remove(`${key}.info`);
      return true;
    },
  };
}

async function* emptySource(): AsyncGenerator<Uint8Array> {}
