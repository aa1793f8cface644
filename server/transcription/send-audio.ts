import type { Context } from "hono";
import type { AppEnv } from "#server/http/env.ts";
import { sendRange } from "#server/http/send-range.ts";
import type { StoredFile } from "#server/storage/stored-file.ts";

interface Sent {
  /** Content type. */
  type: string;
  /** Content-Disposition. */
  disposition: string;
  /** Beginning of its ETag. */
  name: string;
}

/** Sends an audio, or the requested range of it. */
export function sendAudio(c: Context<AppEnv>, file: StoredFile, { type, disposition, name }: Sent): Response {
  c.header("Content-Type", type);
  c.header("Content-Disposition", disposition);
  // The content is never executed, whatever its type.
  c.header("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'");
  c.header("Cache-Control", "private, no-cache");
  return sendRange(c, file, `"${name}-${file.size}"`);
}
