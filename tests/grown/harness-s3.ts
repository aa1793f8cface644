import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import { steadyPort } from "#tests/fixtures/steady-port.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";

const program = fileURLToPath(new URL("./s3-server.py", import.meta.url));
/** Debian's Python, for which python3-swift installs its modules. */
const python = "/usr/bin/python3";
/** How long the server may take to start, in ms. */
const startMs = timeLimit(60_000);

/** Environment variables that make a server keep its files in a bucket (server/config/config.ts). */
export interface S3Environment extends Record<string, string> {
  S3_BUCKET: string;
  S3_ENDPOINT: string;
  S3_REGION: string;
  S3_ACCESS_KEY_ID: string;
  S3_SECRET_ACCESS_KEY: string;
}

/** A running S3 server: OpenStack Swift (s3-server.py). */
export interface TestS3 {
  endpoint: string;
  /** A client with all rights, to inspect what a server has stored. */
  client: S3Client;
  /** Creates an empty bucket. */
  newBucket(): Promise<S3Environment>;
  /** SIGKILL: the server answers nothing until `restart`. */
  kill(): Promise<void>;
  isRunning(): boolean;
  /** Restarts it with the same port and data. */
  restart(): Promise<void>;
  /** SIGSTOP: it accepts connections and answers none of them until `resume`. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

const credentials = { accessKeyId: "tests:parlance", secretAccessKey: "a-secret-of-these-tests" };

/** Starts a server of the caller's own, which may be killed and restarted. It ends with this process at the latest. */
export async function startS3(): Promise<TestS3> {
  // On disk: Swift keeps its data about files in extended attributes, which older kernels lack in memory file systems.
  const folder = await makeTemporaryFolder(tmpdir());
  const port = await steadyPort();
  const endpoint = `http://127.0.0.1:${port}`;
  let child = await startProcess(folder, port);
  const client = new S3Client({
    endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    credentials,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  return {
    endpoint,
    client,
    newBucket: async () => {
      const bucket = `parlance-${randomUUID()}`;
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
      return {
        S3_BUCKET: bucket,
        S3_ENDPOINT: endpoint,
        S3_REGION: "us-east-1",
        S3_ACCESS_KEY_ID: credentials.accessKeyId,
        S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      };
    },
    kill,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    restart: async () => {
      await kill();
      child = await startProcess(folder, port);
    },
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    close: async () => {
      client.destroy();
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let shared: Promise<TestS3> | undefined;

/** One server for all files of a test process. Each caller makes its own bucket and leaves the server running. */
export function sharedS3(): Promise<TestS3> {
  shared ??= startS3();
  return shared;
}

async function startProcess(folder: string, port: number): Promise<ChildProcess> {
  const { accessKeyId, secretAccessKey } = credentials;
  const child = spawn(python, [program, folder, String(port), accessKeyId, secretAccessKey], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  // Standard input ends with this process, and the server then ends too; neither keeps this process alive.
  child.unref();
  const lines = createInterface({ input: child.stdout });
  const isReady = once(lines, "line", { signal: AbortSignal.timeout(startMs) });
  const hasEnded = once(child, "exit").then(() => {
    throw new Error("The S3 server of the tests did not start. Is python3-swift installed (npm run setup -- --test)?");
  });
  await Promise.race([isReady, hasEnded]);
  for (const stream of [child.stdin, child.stdout]) if ("unref" in stream && typeof stream.unref === "function") stream.unref();
  hasEnded.catch(() => {});
  return child;
}

/** The objects of a bucket. */
export interface BucketFiles {
  file(key: string): { read(): Promise<Buffer>; write(content: Uint8Array): Promise<void>; remove(): Promise<void> };
  /** Whether any object contains it. */
  holds(content: string | Uint8Array): Promise<boolean>;
}

export function filesOf({ client }: TestS3, { S3_BUCKET: Bucket }: S3Environment): BucketFiles {
  const read = async (Key: string | undefined) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    if (Body === undefined) throw new Error("An object without a content.");
    return Buffer.from(await Body.transformToByteArray());
  };
  return {
    file: (Key) => ({
      read: () => read(Key),
      write: async (Body) => void (await client.send(new PutObjectCommand({ Bucket, Key, Body }))),
      remove: async () => void (await client.send(new DeleteObjectCommand({ Bucket, Key }))),
    }),
    holds: async (content) => {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
        for (const { Key } of Contents) if ((await read(Key)).includes(content)) return true;
      }
      return false;
    },
  };
}
