import type { RawData } from "ws";
import { ClientMessage } from "#contract/index.ts";
import { parseAs } from "#server/http/json.ts";

/** A message of a page that dictates (contract/dictation.ts); undefined for anything else. */
export function parseMessage(text: string): ClientMessage | undefined {
  return parseAs(ClientMessage, text);
}

/** The bytes of a message, however they came. */
export function asBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
