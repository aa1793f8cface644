import { Problem } from "#server/errors/problem.ts";
import { bodyOf } from "#server/outbound/body.ts";
import type { Threads } from "#server/threads/threads.ts";
import type { ParsedFeed } from "#server/uploads/fetching/feed.ts";
import { feedParseMs, feedTasks } from "#server/uploads/fetching/feed-tasks.ts";
import type { FetchPolicy } from "#server/uploads/fetching/fetch.ts";
import { type KnownVersion, openUrl } from "#server/uploads/fetching/request.ts";

/** Time limits in ms: for the answer, between two parts of it, and for the whole feed. */
const times = { connectMs: 10_000, idleMs: 10_000, wholeMs: 30_000 };
/** Largest feed (bytes). */
const maxBytes = 5 * 1024 * 1024;
/** A longer version name is not stored (characters). */
const versionCharacters = 500;

export interface ReadParts {
  urlPolicy: FetchPolicy;
  threads: Threads;
}

export interface ReadFeed extends ParsedFeed {
  version: KnownVersion;
}

/** A feed that was never read. */
export const unknownVersion: KnownVersion = { etag: null, lastModified: null };

/**
 * Fetches a feed and reads its newest episodes. Its server is as untrusted as that of a recording: the same addresses
 * are refused.
 * @returns undefined if the known version is still current
 * @throws Problem `tooLarge`, `notAudio`; FetchProblem; the signal's reason
 */
export async function readFeed(
  { urlPolicy, threads }: ReadParts,
  address: string,
  known: KnownVersion,
  { person, signal }: { person: string; signal: AbortSignal },
): Promise<ReadFeed | undefined> {
  const fetched = await fetchFeed(urlPolicy, address, known, signal);
  if (fetched === undefined) return undefined;
  const { version, ...feed } = fetched;
  return { ...(await threads.run(feedTasks.feedEntries, feed, { person, timeoutMs: feedParseMs })), version };
}

async function fetchFeed(urlPolicy: FetchPolicy, address: string, known: KnownVersion, closing: AbortSignal) {
  const policy = { ...urlPolicy, times: shorter(urlPolicy.times) };
  const signal = AbortSignal.any([closing, AbortSignal.timeout(policy.times.wholeMs)]);
  const answer = await openUrl(address, policy, signal, known);
  if (answer.status === 304) {
    answer.body.destroy();
    return undefined;
  }
  const { etag, "last-modified": lastModified, "content-type": type = "" } = answer.headers;
  const parts: Buffer[] = [];
  for await (const part of bodyOf(answer, maxBytes, signal)) parts.push(part);
  const version = { etag: kept(etag), lastModified: kept(lastModified) };
  return { document: new Uint8Array(Buffer.concat(parts)), base: answer.url.href, type, version };
}

/** Tests use shorter limits. */
const shorter = ({ connectMs, idleMs, wholeMs }: FetchPolicy["times"]): FetchPolicy["times"] => ({
  connectMs: Math.min(connectMs, times.connectMs),
  idleMs: Math.min(idleMs, times.idleMs),
  wholeMs: Math.min(wholeMs, times.wholeMs),
});

/** In a form that can be sent back. */
function kept(version: string | undefined): string | null {
  return version !== undefined && version.length <= versionCharacters && /^[\x20-\x7e]+$/.test(version) ? version : null;
}

/** Why a feed could not be read; undefined: for a reason of our own. */
export function whyUnread(error: unknown): Problem | undefined {
  return error instanceof Problem && error.code !== "internal" ? error : undefined;
}
