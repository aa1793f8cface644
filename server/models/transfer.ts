import { type FileHandle, open, rm, stat } from "node:fs/promises";
import * as v from "valibot";
import type { Answer } from "#server/outbound/request.ts";
import { asInstallationProblem, InstallationProblem } from "./installation-problem.ts";
import { readJsonFile, writeJsonFile } from "./json-file.ts";
import { asConnectionProblem, type ModelClient } from "./opening.ts";

/** Stored beside a download, so that another process can continue it. */
const Beside = v.object({
  url: v.string(),
  /** A strong ETag, or Last-Modified: what If-Range takes; null: the server gave none, and it can't be gone on with. */
  validator: v.nullable(v.string()),
  total: v.nullable(v.number()),
  /** The most bytes that ever were there: tells progress from a server that breaks off at the same place each time. */
  furthest: v.number(),
  isWhole: v.boolean(),
});
type Beside = v.InferOutput<typeof Beside>;

export interface Transfer {
  url: string;
  isMirror: boolean;
  /** The path of the file. */
  path: string;
  /** Published; undefined when not known. */
  bytes: number | undefined;
  /** More than this is never taken (bytes). */
  maxBytes: number;
}

export interface TransferListener {
  /** @param done bytes on the disk @param total null when not known */
  progressed(done: number, total: number | null, host: string): void;
  /**
   * Called now and then; an error ends the transfer.
   * @param bytesLeft the bytes still to come
   */
  checkSpace(bytesLeft: number): Promise<void>;
}

/** The bytes between two checks of the free space. */
const spaceStep = 32 * 1024 * 1024;

/**
 * Downloads a file completely to the disk, continuing an earlier attempt or process.
 * @throws InstallationProblem; the signal's reason
 */
export async function transfer(
  wanted: Transfer,
  client: ModelClient,
  listener: TransferListener,
  signal: AbortSignal,
): Promise<void> {
  const { url, path, bytes } = wanted;
  const before = await readBeside(wanted);
  const size = await sizeOf(path);
  const { host } = new URL(url);
  if (before?.isWhole === true && size === before.total) return listener.progressed(size, size, host);
  const offset = before !== undefined && before.validator !== null && (before.total ?? bytes ?? 0) > size ? size : 0;
  const headers: Record<string, string> = {};
  if (offset > 0 && before?.validator != null) {
    headers.Range = `bytes=${offset}-`;
    headers["If-Range"] = before.validator;
  }
  const answer = await client.open(url, wanted.isMirror, headers, signal);
  try {
    await receive(wanted, answer, { offset, furthest: before?.furthest ?? 0 }, listener, signal);
  } finally {
    answer.body.destroy();
  }
}

interface Start {
  /** Bytes that were asked for from. */
  offset: number;
  furthest: number;
}

async function receive(
  wanted: Transfer,
  answer: Answer,
  start: Start,
  listener: TransferListener,
  signal: AbortSignal,
): Promise<void> {
  const begin = await beginOf(wanted, answer, start.offset);
  const total = totalOf(wanted, answer, begin);
  await listener.checkSpace((total ?? wanted.bytes ?? 0) - begin);
  const beside = { url: wanted.url, validator: validatorOf(answer), total, furthest: start.furthest, isWhole: false };
  await writeJsonFile(besideOf(wanted.path), beside);
  const limit = total ?? wanted.bytes ?? wanted.maxBytes;
  let done = begin;
  try {
    await using handle = await onDisk(open(wanted.path, begin > 0 ? "r+" : "w"));
    done = await writeAll(
      handle,
      begin,
      limit,
      answer,
      (at) => listener.progressed(at, total, answer.url.host),
      async (at) => listener.checkSpace((total ?? wanted.bytes ?? at) - at),
    );
    await onDisk(handle.sync());
  } catch (error) {
    done = await sizeOf(wanted.path);
    const problem = asConnectionProblem(error, answer.url, signal);
    throw await noted(wanted.path, beside, done, problem);
  }
  if (total !== null && done < total) {
    const problem = new InstallationProblem("unreachable", `${answer.url.host} broke off.`, { isPassing: true });
    throw await noted(wanted.path, beside, done, problem);
  }
  await writeJsonFile(besideOf(wanted.path), { ...beside, total: done, furthest: done, isWhole: true });
}

/** Remembers how far it came; a connection that broke later than ever before has made progress. */
async function noted(path: string, beside: Beside, done: number, problem: unknown): Promise<unknown> {
  const hasProgressed = done > beside.furthest;
  if (hasProgressed) await writeJsonFile(besideOf(path), { ...beside, furthest: done }).catch(() => undefined);
  if (!(problem instanceof InstallationProblem) || !problem.isPassing) return problem;
  const { failure, detail, cause } = problem;
  return new InstallationProblem(failure, detail, { isPassing: true, hasProgressed, cause });
}

async function writeAll(
  handle: FileHandle,
  begin: number,
  limit: number,
  { body, url }: Answer,
  progressed: (at: number) => void,
  checkSpace: (at: number) => Promise<void>,
): Promise<number> {
  await onDisk(handle.truncate(begin));
  let at = begin;
  let looked = begin;
  for await (const piece of body) {
    if (!Buffer.isBuffer(piece)) continue;
    if (at + piece.length > limit) {
      throw new InstallationProblem("mismatch", `${url.host} sends more than the expected ${limit} bytes.`);
    }
    let written = 0;
    while (written < piece.length) {
      const { bytesWritten } = await onDisk(handle.write(piece, written, piece.length - written, at + written));
      written += bytesWritten;
    }
    at += piece.length;
    progressed(at);
    if (at - looked < spaceStep) continue;
    looked = at;
    await checkSpace(at);
  }
  return at;
}

/** A disk that is full, or broken, is no fault of the connection: another attempt or another server would not help. */
async function onDisk<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw asInstallationProblem(error);
  }
}

/**
 * The first byte of the answer: the requested one, or 0 if the server sends everything.
 * @throws InstallationProblem
 */
async function beginOf({ path, url }: Transfer, { status, headers }: Answer, offset: number): Promise<number> {
  const { host, pathname } = new URL(url);
  if (status === 200) return 0;
  if (status === 206 && offset > 0) {
    const [, first] = /^bytes (\d+)-/.exec(String(headers["content-range"] ?? "")) ?? [];
    if (Number(first) === offset) return offset;
  }
  if (status === 206 || status === 416) {
    // It has changed there, or the server does not support ranges: the next attempt starts from the beginning.
    await rm(besideOf(path), { force: true });
    throw new InstallationProblem("unreachable", `${host} sent another range than requested.`, { isPassing: true });
  }
  const detail = `${host}${pathname} answered with status ${status}.`;
  if (status >= 500 || status === 408 || status === 425 || status === 429) {
    throw new InstallationProblem("unreachable", detail, { isPassing: true });
  }
  throw new InstallationProblem("gone", detail);
}

/**
 * The server's size of the whole file in bytes; null if unknown.
 * @throws InstallationProblem `mismatch`, before anything is read
 */
function totalOf({ bytes, maxBytes }: Transfer, { headers, url }: Answer, begin: number): number | null {
  const [, ofRange] = /\/(\d+)$/.exec(String(headers["content-range"] ?? "")) ?? [];
  const length = headers["content-length"];
  const said = begin > 0 ? ofRange : length;
  const total = said === undefined ? (bytes ?? null) : Number(said);
  if (total !== null && (total > maxBytes || (bytes !== undefined && total !== bytes))) {
    const should = bytes === undefined ? `at most ${maxBytes}` : String(bytes);
    throw new InstallationProblem("mismatch", `${url.host} has ${total} bytes, not the expected ${should}.`);
  }
  return total;
}

function validatorOf({ headers }: Answer): string | null {
  const { etag } = headers;
  if (typeof etag === "string" && etag.startsWith('"')) return etag;
  const changed = headers["last-modified"];
  return typeof changed === "string" ? changed : null;
}

const besideOf = (path: string) => `${path}.json`;

/** The notes of an earlier attempt, if it used the same address. */
async function readBeside({ path, url }: Transfer): Promise<Beside | undefined> {
  const beside = await readJsonFile(besideOf(path), Beside).catch(() => undefined);
  return beside?.url === url ? beside : undefined;
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
