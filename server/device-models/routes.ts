import { Hono } from "hono";
import type { InferOutput } from "valibot";
import type { DeviceTranslationAnswer } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import type { AppEnv } from "#server/http/env.ts";
import { sendRange } from "#server/http/send-range.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import { fileOfSize } from "#server/storage/stored-file.ts";
import type { DeviceTranslations } from "./translations.ts";

interface Parts extends SignInParts {
  deviceTranslations: DeviceTranslations;
}

/**
 * The models with which a browser translates on the device. A hash selects a file among those of the pair, so no path
 * comes from the request.
 */
export function deviceTranslationRoutes({ deviceTranslations, ...deps }: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  const path = "/api/v1/device-translations/:source/:target";

  app.get(path, signedIn, async (c) => {
    const files = await deviceTranslations.filesOf(c.req.param());
    if (files.length === 0) throw new Problem("notFound", "No browser model translates this pair.");
    const answer: InferOutput<typeof DeviceTranslationAnswer> = {
      files: files.map(({ part, bytes, sha256 }) => ({ part, url: `${c.req.path}/${sha256}`, bytes, sha256 })),
    };
    return c.json(answer);
  });
  app.get(`${path}/:sha256`, signedIn, async (c) => {
    const { sha256, ...pair } = c.req.param();
    const file = (await deviceTranslations.filesOf(pair)).find((one) => one.sha256 === sha256);
    if (file === undefined) throw new Problem("notFound", "The model of this pair does not have this file.");
    c.header("Content-Type", "application/octet-stream");
    c.header("Cache-Control", "private, max-age=31536000, immutable");
    return sendRange(c, fileOfSize(file.path, file.bytes), `"${sha256}"`);
  });
  return app;
}
