import { errorCodeOf, Problem } from "#server/errors/problem.ts";

export class FetchProblem extends Problem {
  declare readonly code: "urlRefused" | "urlUnreachable" | "urlTimeout";
  /** A retry would fail the same way. */
  readonly isFinal: boolean;
  /** The HTTP status of the server there, if that is why. */
  readonly answered: number | undefined;
  /** The requested address after redirects. It may contain secrets, so only the operator may see it. */
  readonly url: URL | undefined;
  constructor(
    code: FetchProblem["code"],
    message: string,
    options: { isFinal?: boolean; answered?: number; url?: URL; cause?: unknown } = {},
  ) {
    super(code, message, { cause: options.cause });
    this.isFinal = options.isFinal ?? code === "urlRefused";
    this.answered = options.answered;
    this.url = options.url;
  }
}

const timeouts: readonly unknown[] = ["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"];
const isTimeout = (error: unknown) =>
  timeouts.includes(errorCodeOf(error)) || (error instanceof DOMException && error.name === "TimeoutError");

/** @returns what to throw for a failed request or body: a FetchProblem, or the signal's reason if it is no time-out */
export function fetchError(error: unknown, url: URL, signal: AbortSignal): unknown {
  const cause = signal.aborted ? signal.reason : error;
  if (isTimeout(cause)) return new FetchProblem("urlTimeout", "The server there took too long.", { url, cause });
  if (signal.aborted || cause instanceof Problem) return cause;
  return new FetchProblem("urlUnreachable", "The connection to the server there failed.", { url, cause });
}
