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

/** Connection to a bucket (server/config/config.ts). */
export interface BucketConfig {
  bucket: string;
  /**
   * Undefined: Amazon's endpoint, with the bucket in the host name. Otherwise the bucket is the first part of the path.
   */
  endpoint: string | undefined;
  region: string;
  /** Undefined: the machine's own authorization (a role, a profile). */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** Prefix of every key; "" or ending with a slash. */
  prefix: string;
  /** The endpoint as browsers reach it; undefined: bytes pass through this server. */
  publicUrl: string | undefined;
}

/** Headers of the response at a presigned URL, independent of the stored metadata. */
interface SignedAnswer {
  type: string;
  disposition: string;
  seconds: number;
}

/**
 * A bucket of an S3 server. Keys consist of generated ids only; the prefix is added here. All content is streamed, in
 * parts of `partBytes`. A refusal or timeout becomes a Problem `storageUnavailable`, so that the call is retried; a
 * full bucket becomes `storageFull`.
 */
export interface Bucket {
  /**
   * Writes a whole object, which is visible when this resolves. @returns its size in bytes @throws the source's errors
   * unchanged
   */
  put(key: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<number>;
  /** The same as a stream. It finishes once the object is stored; if destroyed earlier, it leaves nothing. */
  writable(key: string): { stream: Writable; readonly bytes: number };
  /** Undefined when there is no such object. */
  file(key: string): Promise<StoredFile | undefined>;
  /** Reads an object from its beginning; size and content belong to the same version. Undefined when there is none. */
  open(key: string): Promise<{ size: number; stream: Readable } | undefined>;
  /** Reads a small object. Undefined when there is none. */
  bytes(key: string): Promise<Buffer | undefined>;
  /** Copies within the bucket; false when the source does not exist. */
  copy(from: string, to: string): Promise<boolean>;
  /** Deletes an object, if it exists. In a versioned bucket, the server keeps earlier versions by its own rules. */
  remove(key: string): Promise<void>;
  /** Deletes everything below a prefix, including unfinished uploads. @param below ends with a slash */
  removeAll(below: string): Promise<void>;
  /** All objects below a prefix, sorted by key. */
  list(below: string): AsyncIterable<Listed>;
  /** Files that arrive in parts. */
  readonly appends: BucketAppends;
  /**
   * Aborts uploads that were not continued since a time (epoch ms): otherwise their parts are stored and charged for.
   */
  abortUploadsBefore(time: number): Promise<number>;
  /**
   * A presigned URL for browsers; undefined when they can't reach the bucket. Anybody who has the URL can read the
   * object: never log it.
   */
  sign(key: string, answer: SignedAnswer): Promise<string | undefined>;
  /** The origin of presigned URLs. */
  readonly publicOrigin: string | undefined;
  /** Writes, reads and deletes an object. @throws Error with a sentence for the operator */
  check(): Promise<void>;
  /** Checks that the bucket answers with these credentials. @throws Problem `storageUnavailable` */
  ping(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Size of the parts of a multipart upload (bytes). Two parts are in memory at a time. */
const partBytes = 8 * 1024 * 1024;
/** Timeouts: for connecting, and for a server that stays silent (milliseconds). */
const connectMs = 3_000;
const silenceMs = 15_000;
const removedAtOnce = 16;

/** Loads the S3 client, which a server without a bucket does not need. */
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
    // Only Amazon supports checksums in trailers; other servers reject them.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 3,
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs, requestTimeout: 0 },
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined && { credentials }),
  } as const;
}

/** Writes whole objects: byte arrays in one request, streams in parts. */
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

/** Presigned URLs for browsers; undefined where they can't reach the bucket. */
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
