import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Problem } from "#server/errors/problem.ts";
import { cleanName } from "#server/http/file-name.ts";
import type { RequestTimes, UrlPolicy } from "#server/outbound/address.ts";
import { bodyOf, lengthOf } from "#server/outbound/body.ts";
import { FetchProblem } from "#server/outbound/fetch-problem.ts";
import type { Answer } from "#server/outbound/request.ts";
import type { Threads } from "#server/threads/threads.ts";
import { feedParseMs, feedTasks, isFeed } from "./feed-tasks.ts";
import { decodedAs, legibleHead } from "./feed-text.ts";
import { openUrl } from "./request.ts";

export interface FetchTimes extends RequestTimes {
  /** Timeout of the whole fetch, redirects included (milliseconds). */
  wholeMs: number;
}

export const fetchTimes: FetchTimes = { connectMs: 10_000, idleMs: 30_000, wholeMs: 30 * 60_000 };

export interface FetchPolicy extends UrlPolicy {
  times: FetchTimes;
}

/** A recording fetched from a URL. If the URL is a podcast feed, the newest episode is fetched. */
interface FetchedAudio {
  /** A file name for display; "" when the URL has none. */
  name: string;
  /** Content type from the response; "" when it has none. */
  type: string;
  /** An episode's title; "" when there is none. */
  title: string;
}

interface FetchOptions {
  /** The user who gets the recording. */
  person: string;
  signal: AbortSignal;
  /** Called for every chunk with the bytes received and the total (undefined while unknown). */
  onProgress(done: number, total: number | undefined): void;
}

/**
 * Fetches a recording into `target`, which is ended (or destroyed) afterwards. ffmpeg decides later whether it is
 * audio; HTML and other markup is refused here.
 * @throws Problem `tooLarge`, `notAudio`, `emptyFile`; FetchProblem; the signal's reason; errors of `target`
 */
export type FetchAudio = (address: string, target: Writable, options: FetchOptions) => Promise<FetchedAudio>;

/** Bytes that are enough to distinguish a feed from a page. */
const headBytes = 4096;
/** Largest feed (bytes): podcasts with thousands of episodes have feeds of a few megabytes. */
const maxFeedBytes = 8 * 1024 * 1024;

interface Parts extends FetchPolicy {
  /** Largest recording, in bytes. */
  maxBytes: number;
  threads: Threads;
}

export function createFetchAudio(parts: Parts): FetchAudio {
  return async (address, target, { signal: outer, ...options }) => {
    const late = AbortSignal.timeout(parts.times.wholeMs);
    try {
      return await fetchInto(parts, address, target, { ...options, signal: AbortSignal.any([outer, late]) });
    } catch (error) {
      target.destroy();
      outer.throwIfAborted();
      if (late.aborted) throw new FetchProblem("urlTimeout", "Fetching took too long.", { isFinal: true });
      throw error;
    }
  };
}

/** @param episode the one whose recording this URL is: it must be a recording, not another feed */
async function fetchInto(
  parts: Parts,
  address: string,
  target: Writable,
  options: FetchOptions,
  episode?: string,
): Promise<FetchedAudio> {
  const { person, signal, onProgress } = options;
  const answer = await openUrl(address, parts, signal);
  const body = bodyOf(answer, parts.maxBytes, signal);
  const head = await firstBytes(body);
  if (head.length === 0) throw new Problem("emptyFile");
  const text = legibleHead(head);
  const type = answer.headers["content-type"] ?? "";
  if (text.startsWith("<") || isFeed(text)) {
    if (episode !== undefined || !isFeed(text)) {
      await body.return(undefined);
      throw new Problem("notAudio");
    }
    const document = await readFeed(head, body);
    const feed = { document, base: answer.url.href, type };
    const { entries } = await parts.threads.run(feedTasks.feedEntries, feed, { person, timeoutMs: feedParseMs });
    const [newest] = entries;
    if (newest === undefined) throw new Problem("notAudio", "This feed has no recording.");
    return fetchInto(parts, newest.url, target, options, newest.title);
  }
  const total = lengthOf(answer);
  let done = 0;
  async function* counted() {
    for await (const chunk of joined(head, body)) {
      done += chunk.length;
      onProgress(done, Number.isNaN(total) ? undefined : total);
      yield chunk;
    }
  }
  await pipeline(counted, target, { signal });
  return { name: nameOf(answer), type: type.toLowerCase(), title: episode ?? "" };
}

async function firstBytes(body: AsyncGenerator<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let size = 0; size < headBytes; ) {
    const { value, done } = await body.next();
    if (done === true) break;
    parts.push(value);
    size += value.length;
  }
  return Buffer.concat(parts);
}

async function* joined(head: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}

async function readFeed(head: Buffer, rest: AsyncGenerator<Buffer>): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of joined(head, rest)) {
    parts.push(part);
    size += part.length;
    if (size > maxFeedBytes) throw new Problem("tooLarge");
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** The file name from the response headers, otherwise from the URL. */
function nameOf({ headers, url }: Answer): string {
  const disposition = headers["content-disposition"] ?? "";
  const [, charset = "", encoded] = /filename\*\s*=\s*([\w-]+)'[^']*'([^;\s]+)/i.exec(disposition) ?? [];
  const [, quoted, bare] = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(disposition) ?? [];
  const said = encoded === undefined ? ofBytes(quoted ?? bare ?? "", "utf-8") : ofBytes(unescaped(encoded), charset);
  return cleanName(said) || fileNameIn(url);
}

/** Decodes a header in an encoding; if that fails, it stays as it arrived, in Latin-1. */
const ofBytes = (text: string, encoding: string): string => decodedAs(encoding, Buffer.from(text, "latin1")) ?? text;

const unescaped = (text: string): string =>
  text.replace(/%([\da-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));

/** The last segment of a URL's path, if it looks like a file name; otherwise "". */
export function fileNameIn(url: URL): string {
  const last = cleanName(decoded(url.pathname.split("/").at(-1) ?? ""));
  return /.\.[A-Za-z0-9]{1,5}$/.test(last) ? last : "";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
