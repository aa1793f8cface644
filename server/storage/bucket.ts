import { Readable, type Writable } from "node:stream";
import { Problem } from "#server/errors/problem.ts";
import { hintGc } from "#server/threads/gc-hint.ts";
import { type BucketAppends, createAppends } from "./bucket-appends.ts";
import { checkBucket } from "./bucket-check.ts";
import { asProblem, isMissing, rethrown } from "./bucket-errors.ts";
import { abortUpload, type BucketClient, type Listed, listBelow, uploadsBelow } from "./bucket-listing.ts";
import { streamOf, writableOf } from "./bucket-streams.ts";
import { inGroups } from "./in-groups.ts";
import type { ByteRange, StoredFile } from "./stored-file.ts";

/** How a bucket is reached (server/config/config.ts). */
export interface BucketConfig {
  bucket: string;
  /** undefined: Amazon's own, with the bucket in the host's name; otherwise the bucket is the path's first part. */
  endpoint: string | undefined;
  region: string;
  /** undefined: as the machine is authorised (a role, a profile). */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** Begins every key; "" or ending with a slash. */
  prefix: string;
  /** The endpoint as browsers reach it; undefined: bytes pass through this server. */
  publicUrl: string | undefined;
}

/** How a signed address answers, whatever was stored as what. */
interface SignedAnswer {
  type: string;
  disposition: string;
  seconds: number;
}

/**
 * A bucket of a server that speaks S3. Keys are made of generated ids alone; the prefix is added here. Everything is streamed, in parts
 * of `partBytes`. What the server refuses or does not answer is a Problem `storageUnavailable`, so that it is tried again; where it has no
 * room, it is `storageFull`.
 */
export interface Bucket {
  /** Writes a whole object; it is visible when this resolves. @returns its size in bytes @throws what its source does, as it is */
  put(key: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<number>;
  /** The same as a stream, which finishes only when the object is stored, and leaves nothing when it is destroyed before. */
  writable(key: string): { stream: Writable; readonly bytes: number };
  /** undefined when there is none. */
  file(key: string): Promise<StoredFile | undefined>;
  /** Reads an object from its beginning, in the one version that the size belongs to. undefined when there is none. */
  open(key: string): Promise<{ size: number; stream: Readable } | undefined>;
  /** For small ones. undefined when there is none. */
  bytes(key: string): Promise<Buffer | undefined>;
  /** Copies within the bucket; false when there is nothing to copy. */
  copy(from: string, to: string): Promise<boolean>;
  /** Deletes an object, if it exists. In a bucket with versions, the server keeps earlier ones by its own rules. */
  remove(key: string): Promise<void>;
  /** Deletes everything below a prefix, what has arrived in part included. @param below ends with a slash */
  removeAll(below: string): Promise<void>;
  /** Everything below a prefix, by key. */
  list(below: string): AsyncIterable<Listed>;
  /** Files that arrive in parts. */
  readonly appends: BucketAppends;
  /** Ends uploads that nobody has continued since a time (epoch ms): their parts are kept and charged for otherwise. */
  abortUploadsBefore(time: number): Promise<number>;
  /** Where a browser reads an object; undefined: it can't reach the bucket. Whoever has it may read for so long: never log it. */
  sign(key: string, answer: SignedAnswer): Promise<string | undefined>;
  /** The origin of such addresses. */
  readonly publicOrigin: string | undefined;
  /** Writes, reads and deletes an object. @throws Error with a sentence for who starts the server */
  check(): Promise<void>;
  /** Whether it answers now, to these keys. @throws Problem `storageUnavailable` */
  ping(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Of an upload in several parts. Two of them are in memory at once. */
const partBytes = 8 * 1024 * 1024;
/** A server that does not answer for so long has failed (milliseconds). */
const connectMs = 3_000;
const silenceMs = 15_000;
const removedAtOnce = 16;

/** Loads the client, which a server without a bucket never does. */
export async function openBucket(config: BucketConfig): Promise<Bucket> {
  const s3 = await import("@aws-sdk/client-s3");
  const settings = settingsOf(config);
  const client = new s3.S3Client(settings);
  const { bucket, prefix } = config;
  const own: BucketClient = {
    s3,
    client,
    bucket,
    prefix,
    at: (key) => ({ Bucket: bucket, Key: prefix + key }),
    orMissing: async (error) => {
      if (!isMissing(error)) throw asProblem(error);
      await client.send(new s3.HeadBucketCommand({ Bucket: bucket })).catch(rethrown);
      return undefined;
    },
  };
  const put = await writerOf(own);
  const { sign, endSigning } = await signerOf(own, config, settings);
  const remove = async (key: string) => {
    await client.send(new s3.DeleteObjectCommand(own.at(key))).catch(own.orMissing);
  };
  const list = (below: string) => listBelow(own, below);
  return {
    put,
    writable: (key) => writableOf((content) => put(key, content)),
    ...readsOf(own),
    copy: async (from, to) => {
      const CopySource = `${bucket}/${prefix}${from}`;
      return (await client.send(new s3.CopyObjectCommand({ ...own.at(to), CopySource })).catch(own.orMissing)) !== undefined;
    },
    remove,
    removeAll: async (below) => {
      for await (const { Key, UploadId } of uploadsBelow(own, below)) await abortUpload(own, Key, UploadId);
      for await (const keys of inGroups(list(below), removedAtOnce)) await Promise.all(keys.map(({ key }) => remove(key)));
    },
    list,
    appends: await createAppends({
      config: { ...settings, bucket },
      prefix,
      sizeOf: (key) => sizeOf(client.send(new s3.HeadObjectCommand(own.at(key)))),
      remove,
      keysBelow: async function* (begin) {
        for await (const { key } of list(begin)) yield key;
      },
    }),
    abortUploadsBefore: async (time) => {
      let ended = 0;
      for await (const { Key, UploadId, Initiated } of uploadsBelow(own, "")) {
        if (Initiated === undefined || Initiated.getTime() >= time) continue;
        await abortUpload(own, Key, UploadId);
        ended++;
      }
      return ended;
    },
    sign,
    publicOrigin: config.publicUrl && new URL(config.publicUrl).origin,
    check: () =>
      checkBucket(config, {
        put,
        bytes: async (key) => (await client.send(new s3.GetObjectCommand(own.at(key)))).Body,
        remove,
      }),
    ping: async (abortSignal) => {
      await client.send(new s3.HeadBucketCommand({ Bucket: bucket }), { abortSignal }).catch(rethrown);
    },
    close: () => {
      client.destroy();
      endSigning();
    },
  };
}

function settingsOf({ region, endpoint, credentials }: BucketConfig) {
  return {
    region,
    forcePathStyle: endpoint !== undefined,
    // Checksums in trailers are Amazon's; others refuse them.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 3,
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs, requestTimeout: 0 },
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined && { credentials }),
  } as const;
}

/** Writes whole objects: bytes in one request, streams in parts. */
async function writerOf({ s3, client, at }: BucketClient): Promise<Bucket["put"]> {
  const { Upload } = await import("@aws-sdk/lib-storage");
  return async (key, content) => {
    if (content instanceof Uint8Array) {
      await client.send(new s3.PutObjectCommand({ ...at(key), Body: content })).catch(rethrown);
      return content.length;
    }
    let bytes = 0;
    let broken: { reason: unknown } | undefined;
    const counted = async function* () {
      try {
        for await (const chunk of content) {
          bytes += chunk.length;
          hintGc(chunk.length);
          yield chunk;
        }
      } catch (error) {
        broken = { reason: error };
        throw error;
      }
    };
    const params = { ...at(key), Body: Readable.from(counted(), { objectMode: false }) };
    const upload = new Upload({ client, params, partSize: partBytes, queueSize: 2 });
    await upload.done().catch((error: unknown) => {
      throw broken === undefined ? asProblem(error) : broken.reason;
    });
    return bytes;
  };
}

function readsOf({ s3, client, at, orMissing }: BucketClient): Pick<Bucket, "file" | "open" | "bytes"> {
  const read = (key: string, range: ByteRange | undefined) =>
    streamOf(async () => {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const { Body } = await client.send(new s3.GetObjectCommand({ ...at(key), ...(Range !== undefined && { Range }) }));
      if (!(Body instanceof Readable)) throw new Problem("storageUnavailable");
      return Body;
    });
  return {
    file: async (key) => {
      const found = await client.send(new s3.HeadObjectCommand(at(key))).catch(orMissing);
      if (found === undefined) return undefined;
      const size = found.ContentLength ?? 0;
      return { size, read: (range) => (size === 0 ? streamOf(async () => Readable.from([])) : read(key, range)) };
    },
    open: async (key) => {
      const found = await client.send(new s3.GetObjectCommand(at(key))).catch(orMissing);
      if (found === undefined) return undefined;
      if (!(found.Body instanceof Readable)) throw new Problem("storageUnavailable");
      return { size: found.ContentLength ?? 0, stream: found.Body };
    },
    bytes: async (key) => {
      const found = await client.send(new s3.GetObjectCommand(at(key))).catch(orMissing);
      const bytes = await found?.Body?.transformToByteArray().catch(rethrown);
      return bytes && Buffer.from(bytes);
    },
  };
}

/** Addresses for browsers; none where the bucket has no address that they reach. */
async function signerOf({ s3, at }: BucketClient, { publicUrl }: BucketConfig, settings: ReturnType<typeof settingsOf>) {
  const { getSignedUrl } = await import("@aws-sdk/s3-request-presigner");
  const signer =
    publicUrl === undefined ? undefined : new s3.S3Client({ ...settings, forcePathStyle: true, endpoint: publicUrl });
  const sign: Bucket["sign"] = async (key, { type, disposition, seconds }) => {
    if (signer === undefined) return undefined;
    const forced = {
      ResponseContentType: type,
      ResponseContentDisposition: disposition,
      ResponseCacheControl: "private, no-store",
    };
    return getSignedUrl(signer, new s3.GetObjectCommand({ ...at(key), ...forced }), { expiresIn: seconds });
  };
  return { sign, endSigning: () => signer?.destroy() };
}

async function sizeOf(asking: Promise<{ ContentLength?: number | undefined }>): Promise<number | undefined> {
  try {
    return (await asking).ContentLength ?? 0;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw asProblem(error);
  }
}
