import type { UrlPolicy } from "#server/outbound/address.ts";
import { FetchProblem } from "#server/outbound/fetch-problem.ts";
import { type Answer, send } from "#server/outbound/request.ts";
import type { Outcome } from "./rules.ts";

/** Timeout of an attempt, from the name lookup to the end of the response (milliseconds). */
export const attemptMs = 15_000;
/** Limits of a response: bytes that are read, and characters of them that are stored. */
const readBytes = 2048;
const maxSavedCharacters = 200;

interface Message {
  headers: Record<string, string>;
  /** JSON */
  body: string;
}

/**
 * Posts a message. The server is untrusted: only public addresses are allowed, redirects are not followed, the time is
 * limited, and only the beginning of the response is read.
 * @throws the signal's reason
 */
export async function postMessage(
  address: string,
  { headers, body }: Message,
  parts: UrlPolicy & { attemptMs: number },
  closing: AbortSignal,
): Promise<Outcome> {
  const outgoing = {
    method: "POST",
    headers: {
      ...headers,
      "Content-Type": "application/json",
      "User-Agent": "Parlance (a webhook that one of its users has set up)",
      "Accept-Encoding": "identity",
    },
    body,
  } as const;
  const signal = AbortSignal.any([closing, AbortSignal.timeout(parts.attemptMs)]);
  try {
    const answer = await send(address, parts, outgoing, signal);
    return { status: answer.status, answer: await beginningOf(answer), error: null };
  } catch (error) {
    if (!(error instanceof FetchProblem)) throw error;
    return { status: null, answer: "", error: error.code };
  }
}

/**
 * The first characters of a response, on one line. A response that is cut off or never comes does not matter: only the
 * status counts.
 */
async function beginningOf({ headers, body }: Answer): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    let size = 0;
    for await (const chunk of body) {
      if (!(chunk instanceof Buffer)) break;
      chunks.push(chunk);
      size += chunk.length;
      if (size >= readBytes) break;
    }
  } catch {
    // Keeps what has arrived.
  } finally {
    body.destroy();
  }
  if ((headers["content-encoding"] ?? "identity") !== "identity") return "";
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, readBytes));
  // PostgreSQL can't store NUL, and control characters are useless.
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return [...line].slice(0, maxSavedCharacters).join("");
}
