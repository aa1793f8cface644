import type { CallReport } from "#contract/index.ts";
import { acceptLanguages } from "./languages.ts";

interface Asking {
  /** The API's base URL, without a trailing slash. */
  base: string;
  ask: typeof fetch;
  /** Time in ms. */
  now(): number;
}

/**
 * Calls the API as the product does, but bypasses every cache, and reports the outcome. @throws only the signal's
 * reason
 */
export async function reportOf(path: string, { base, ask, now }: Asking, signal: AbortSignal): Promise<CallReport> {
  const begun = now();
  let status = 0;
  let raw = "";
  let isOk = false;
  try {
    const answer = await ask(`${base}${path}`, { credentials: "include", cache: "no-store", signal });
    status = answer.status;
    raw = await answer.text();
    isOk = answer.ok;
  } catch {
    // The report shows how far the call came: no answer, or one that was cut off.
    signal.throwIfAborted();
  }
  return { path, status, took: now() - begun, raw, isOk, accepted: isOk ? acceptLanguages(parsed(raw)) : null };
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
