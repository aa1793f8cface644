import { createHmac, randomBytes } from "node:crypto";

/** Standard Webhooks (standardwebhooks.com): 24 to 64 bytes, in Base64 behind this prefix. */
const prefix = "whsec_";
const keyBytes = 32;

/** A new secret: shown to its owner once, and kept to sign with. */
export const newWebhookSecret = (): string => prefix + randomBytes(keyBytes).toString("base64");

/** What is signed. */
interface Signed {
  /** The message's id, the same in every attempt. */
  id: string;
  /** Of the attempt, epoch ms: a receiver refuses what is older than some minutes, so that a message that was overheard is of no use later. */
  at: number;
  body: string;
}

/** The headers of an attempt: HMAC-SHA256 over id, seconds and body. */
export function signatureHeaders(secret: string, { id, at, body }: Signed): Record<string, string> {
  const seconds = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": `v1,${signature}` };
}
