import { Readable } from "node:stream";
import type { S3ClientConfig } from "@aws-sdk/client-s3";
import { hintGc } from "#server/threads/gc-hint.ts";
import { rethrown } from "./bucket-errors.ts";

export interface Appended {
  /** The file's new length, in bytes. */
  end: number;
  failure: unknown;
}

/** Files that arrive in parts, in a bucket: they become visible when their last byte is there. */
export interface BucketAppends {
  /** Begins one of `size` bytes, unless it is begun or whole. */
  begin(key: string, size: number): Promise<void>;
  /** How many bytes are there; undefined when it is not begun. */
  arrived(key: string): Promise<number | undefined>;
  /** Appends where it ends; what came before the source failed is kept, and the whole becomes visible with its last byte. */
  append(key: string, offset: number, source: AsyncIterable<Uint8Array>): Promise<Appended>;
  /** Makes one visible whose bytes have all come, and deletes what was needed for that. False when not all are there. */
  finish(key: string): Promise<boolean>;
}

interface Options {
  config: S3ClientConfig & { bucket: string };
  /** Begins every key. */
  prefix: string;
  /** Of an object that is visible; undefined when there is none. */
  sizeOf(key: string): Promise<number | undefined>;
  remove(key: string): Promise<void>;
  keysBelow(begin: string): AsyncIterable<string>;
}

/** At once, each of 8 MiB, waiting in the system's folder for temporary files. */
const partsAtOnce = 4;

/**
 * The multipart uploads of @tus/s3-store: each part an upload of its own, a rest that is too small for one an object beside it, and an
 * object that says what it belongs to. Nothing is remembered in the process, so that any process may go on.
 */
export async function createAppends({ config, prefix, sizeOf, remove, keysBelow }: Options): Promise<BucketAppends> {
  // Loaded only where it is used: it takes part of the time to start.
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
    // The store takes every failure for an upload that was never begun: that it was begun is asked apart.
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
  /** The last request for each key: the next one waits for it. */
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
