import { hostAndPort, type RequestTimes, resolveBySystem } from "#server/outbound/address.ts";
import { FetchProblem } from "#server/outbound/fetch-problem.ts";
import { type Proxies, proxiesOf } from "#server/outbound/proxies.ts";
import { type Answer, follow } from "#server/outbound/request.ts";
import { InstallationProblem } from "./installation-problem.ts";

export const downloadTimes: RequestTimes = { connectMs: 15_000, idleMs: 45_000 };

/** Asks servers for models. */
export interface ModelClient {
  /**
   * Follows redirects: to https alone, and to public addresses alone, unless they stay on the operator's own mirror.
   * @throws InstallationProblem; the signal's reason
   */
  open(address: string, isMirror: boolean, headers: Record<string, string>, signal: AbortSignal): Promise<Answer>;
}

/**
 * Uses the proxies of the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).
 * @param env for the proxies
 */
export function openModelClient(times = downloadTimes, env: NodeJS.ProcessEnv = process.env): ModelClient {
  return {
    open: async (address, isMirror, headers, signal) => {
      const start = new URL(address);
      const allowed = new Set(isMirror ? [hostAndPort(start)] : []);
      const policy = { allowed, isHttpsOnly: true, resolve: resolveBySystem, proxies: proxiesFor(env), times };
      // A compressed answer would have another size than was published.
      const sent = { "User-Agent": "Parlance", Accept: "*/*", "Accept-Encoding": "identity", ...headers };
      try {
        return await follow(address, policy, sent, signal);
      } catch (error) {
        throw asConnectionProblem(error, start, signal);
      }
    },
  };
}

/** @throws InstallationProblem `unreachable` for a proxy that is no address */
function proxiesFor(env: NodeJS.ProcessEnv): Proxies {
  try {
    return proxiesOf(env);
  } catch (cause) {
    throw new InstallationProblem("unreachable", textOf(cause), { cause });
  }
}

/**
 * Translates a connection error, which may pass after a while.
 * @param asked the address, unless the error has a redirect of it
 */
export function asConnectionProblem(error: unknown, asked: URL, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof InstallationProblem) return error;
  const problem = error instanceof FetchProblem ? error : undefined;
  const { host, pathname } = problem?.url ?? asked;
  if (problem?.isFinal === true)
    return new InstallationProblem("gone", `${host}${pathname}: ${problem.message}`, { cause: error });
  return new InstallationProblem("unreachable", `${host}: ${textOf(problem?.cause ?? error)}`, { isPassing: true, cause: error });
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
