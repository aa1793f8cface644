import type { IncomingMessage } from "node:http";
import { Problem } from "#server/common/problem.ts";
import { unlessAborted } from "#server/common/unless-aborted.ts";
import { type AllowedHosts, addressesOf, checkUrl, isAllowed, type NameParts } from "#server/uploads/fetching/address.ts";
import { asFetchProblem, FetchProblem, send } from "#server/uploads/fetching/request.ts";
import type { Outcome } from "./rules.ts";

/** How long an attempt may take, from the name's lookup to the end of the answer (milliseconds). */
export const attemptMs = 15_000;
/** So much of an answer is read (bytes), and so much of that is kept (characters). */
const readBytes = 2048;
const keptCharacters = 200;

/**
 * Checks a webhook's address: https, without a password, at a public port; http only for what the operator allows.
 * @throws Problem `urlRefused`
 */
export function checkWebhookUrl(text: string, allowed: AllowedHosts): URL {
  const url = checkUrl(text, allowed);
  if (url.protocol === "https:" || isAllowed(url, allowed)) return url;
  throw new Problem("urlRefused", "A webhook's address begins with https://.");
}

interface Message {
  headers: Record<string, string>;
  /** JSON */
  body: string;
}

/**
 * Posts a message. The server there is untrusted: it is reached at public addresses only, its redirects are not followed, it has a
 * limited time, and of what it answers little is read.
 * @throws the signal's reason
 */
export async function postMessage(
  address: string,
  { headers, body }: Message,
  parts: NameParts & { attemptMs: number },
  closing: AbortSignal,
): Promise<Outcome> {
  const late = AbortSignal.timeout(parts.attemptMs);
  const signal = AbortSignal.any([closing, late]);
  try {
    const url = checkWebhookUrl(address, parts.allowed);
    const addresses = await unlessAborted(signal, addressesOf(url, parts));
    const length = String(Buffer.byteLength(body));
    const outgoing = {
      method: "POST",
      headers: {
        ...headers,
        "Content-Type": "application/json",
        "Content-Length": length,
        "User-Agent": "Parlance (a webhook that one of its users has set up)",
        "Accept-Encoding": "identity",
      },
      body,
    };
    const response = await send(url, addresses, outgoing, { signal });
    return { status: response.statusCode ?? 0, answer: await beginningOf(response), error: null };
  } catch (error) {
    closing.throwIfAborted();
    const problem = late.aborted ? new FetchProblem("urlTimeout", "The server there takes too long.") : asFetchProblem(error);
    return { status: null, answer: "", error: problem.code === "urlRefused" ? "urlRefused" : codeOf(problem) };
  }
}

const codeOf = ({ code }: Problem): "urlTimeout" | "urlUnreachable" => (code === "urlTimeout" ? "urlTimeout" : "urlUnreachable");

/** The first characters of an answer, on one line. What is cut off or never comes changes nothing: the status is what counts. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    let size = 0;
    for await (const chunk of response) {
      if (!(chunk instanceof Buffer)) break;
      chunks.push(chunk);
      size += chunk.length;
      if (size >= readBytes) break;
    }
  } catch {
    // As far as it came.
  } finally {
    response.destroy();
  }
  if ((response.headers["content-encoding"] ?? "identity") !== "identity") return "";
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, readBytes));
  // PostgreSQL stores no NUL, and nobody reads control characters.
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return [...line].slice(0, keptCharacters).join("");
}
