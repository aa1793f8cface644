import { createHmac, randomBytes } from "node:crypto";

/** Standard Webhooks (standardwebhooks.com): 24 to 64 bytes, in Base64 after this prefix. */
const prefix = "whsec_";
const keyBytes = 32;

/** A new secret. Its owner sees it once; it is stored for signing. */
export const newWebhookSecret = (): string => prefix + randomBytes(keyBytes).toString("base64");

/** The signed data. */
interface Signed {
  /** The message's id, the same in every attempt. */
  id: string;
  /**
   * Time of the attempt, epoch ms. Receivers refuse messages older than some minutes, so that a captured message can't
   * be replayed later.
   */
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
