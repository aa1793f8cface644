import type { UrlPolicy } from "#server/outbound/address.ts";
import { FetchProblem } from "#server/outbound/fetch-problem.ts";
import { type Answer, follow } from "#server/outbound/request.ts";

const headers = {
  "User-Agent": "Parlance (fetches audio that one of its users asked for)",
  Accept: "audio/*, video/*, application/rss+xml, application/atom+xml, */*;q=0.5",
  // A compressed response could expand a thousandfold; media are not sent compressed anyway.
  "Accept-Encoding": "identity",
};

/** A version fetched earlier: if there is no newer one, the server answers 304. */
export interface KnownVersion {
  etag: string | null;
  lastModified: string | null;
}

function conditionsOf({ etag, lastModified }: KnownVersion): Record<string, string> {
  return {
    ...(etag !== null && { "If-None-Match": etag }),
    ...(lastModified !== null && { "If-Modified-Since": lastModified }),
  };
}

/**
 * Requests a recording or a feed.
 * @param known if given, the response's status may be 304; else it is 200
 * @throws FetchProblem, the signal's reason
 */
export async function openUrl(
  address: string,
  policy: UrlPolicy,
  signal: AbortSignal,
  known: KnownVersion = { etag: null, lastModified: null },
): Promise<Answer> {
  const conditions = conditionsOf(known);
  const answer = await follow(address, policy, { ...headers, ...conditions }, signal);
  const { status, body } = answer;
  if (status === 200 || (status === 304 && Object.keys(conditions).length > 0)) return answer;
  body.destroy();
  throw refusal(status);
}

/** A missing page will still be missing in a minute; a failing or busy server may recover. */
function refusal(status: number): FetchProblem {
  const isFinal = status < 500 && status !== 408 && status !== 429;
  return new FetchProblem("urlUnreachable", `The server there answered with status ${status}.`, { isFinal, answered: status });
}
