import type { CallReport } from "./contract/index.ts";
import { acceptLanguages } from "./languages.ts";

interface Asking {
  /** Address of the API, without a slash at its end. */
  base: string;
  ask: typeof fetch;
  /** Milliseconds. */
  now(): number;
}

/** Asks the API as the product does, past every cache, and tells how it went. @throws the signal's reason, and nothing else */
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
    // How far it came is in the report: no answer at all, or one that broke off.
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
