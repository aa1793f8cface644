import { createHash } from "node:crypto";
import { Hono } from "hono";
import { Problem } from "#server/errors/problem.ts";
import type { AppEnv } from "#server/http/env.ts";
import { matchesETag } from "#server/http/matches-etag.ts";
import { type AccessParts, accessFor } from "#server/session/require-access.ts";
import type { Storage } from "#server/storage/storage.ts";
import { readableSummary } from "#server/transcription/access-queries.ts";
import { keptPeaks } from "./keep.ts";
import type { PeaksMaker } from "./maker.ts";

interface Parts extends AccessParts {
  storage: Pick<Storage, "audio" | "peaks">;
  peaksMaker: PeaksMaker;
}

/**
 * Delay before the next request for peaks in progress (seconds): an hour of audio takes about ten seconds to decode.
 */
const retryAfter = 2;

const getPeaks = {
  id: "getPeaks",
  tag: "transcriptions",
  scope: "transcriptions:read",
  type: "application/octet-stream",
} as const;

/**
 * The waveform of a transcription's audio (contract/waveform.ts). The job stores it while decoding; otherwise it is
 * made on request.
 */
export function waveformRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);
  const path = "/api/v1/audio-transcriptions/transcription/:id/peaks";
  app.get(path, access(getPeaks), async (c) => {
    const userId = c.var.user.id;
    const { id, audio_type, status } = (await readableSummary(deps, c, c.req.param("id"))).row;
    const audio = audio_type === null ? undefined : await deps.storage.audio(id);
    if (audio === undefined) throw new Problem("notFound", "This transcription has no audio.");
    const bytes = await keptPeaks(deps, id, audio.size);
    if (bytes === undefined) {
      // The running job will store them.
      const making = status === "processing" ? "making" : deps.peaksMaker.ask({ id, userId });
      if (making === "unable") throw new Problem("notFound", "The waveform of this audio can't be made right now.");
      return c.body(null, 202, { "Retry-After": String(retryAfter), "Cache-Control": "no-store" });
    }
    const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
    const headers = { "Cache-Control": "private, no-cache", ETag: etag };
    if (matchesETag(c, etag)) return c.body(null, 304, headers);
    return c.body(new Uint8Array(bytes), 200, { ...headers, "Content-Type": "application/octet-stream" });
  });
  return app;
}
