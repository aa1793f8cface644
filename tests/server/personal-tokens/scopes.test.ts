import * as v from "valibot";
import { expect, test } from "vitest";
import type { TokenScope } from "#contract/index.ts";
import { base, read, signUp, startTestServer } from "#tests/server/harness.ts";
import { permissions } from "#tests/server/http/permissions.ts";
import { makeToken } from "./tokens.ts";

/** Every route that accepts personal access tokens, with its scope. All other routes accept only sessions. */
const expected: Record<string, TokenScope> = {
  "GET /users/me": "account:read",
  "GET /api/v1/usage": "account:read",
  "GET /api/v1/storage": "account:read",
  "GET /users/me/vocabulary": "vocabulary",
  "PUT /users/me/vocabulary": "vocabulary",
  "POST /api/v1/translations": "translations",
  "POST /api/v1/speech": "translations",
  [`GET ${base}/transcription-history`]: "transcriptions:read",
  [`GET ${base}/search`]: "transcriptions:read",
  [`GET ${base}/events`]: "transcriptions:read",
  [`GET ${base}/transcription/:id`]: "transcriptions:read",
  [`GET ${base}/transcription/:id/export`]: "transcriptions:read",
  [`GET ${base}/transcription/:id/events`]: "transcriptions:read",
  [`GET ${base}/transcription/:id/audio`]: "transcriptions:read",
  [`GET ${base}/transcription/:id/peaks`]: "transcriptions:read",
  [`GET ${base}/transcription/:id/subtitles`]: "transcriptions:read",
  [`GET ${base}/transcription/:id/video`]: "transcriptions:read",
  [`GET ${base}/transcription/:id/audio/picture`]: "transcriptions:read",
  [`GET ${base}/transcription/:id/audio/captioned`]: "transcriptions:read",
  [`POST ${base}/transcription/:id/captioned`]: "transcriptions:write",
  [`DELETE ${base}/transcription/:id/captioned`]: "transcriptions:write",
  [`GET ${base}/transcription/:id/notes`]: "transcriptions:read",
  [`PUT ${base}/transcription/:id/notes/:note`]: "transcriptions:write",
  [`DELETE ${base}/transcription/:id/notes/:note`]: "transcriptions:write",
  [`GET ${base}/trash`]: "transcriptions:read",
  [`POST ${base}/trash`]: "transcriptions:write",
  [`POST ${base}/trash/restore`]: "transcriptions:write",
  [`GET ${base}/filing`]: "transcriptions:read",
  [`POST ${base}/archive`]: "transcriptions:read",
  [`POST ${base}/filing`]: "transcriptions:write",
  [`POST ${base}/folders`]: "transcriptions:write",
  [`PUT ${base}/folders/:id`]: "transcriptions:write",
  [`DELETE ${base}/folders/:id`]: "transcriptions:write",
  [`POST ${base}/tags`]: "transcriptions:write",
  [`PUT ${base}/tags/:id`]: "transcriptions:write",
  [`DELETE ${base}/tags/:id`]: "transcriptions:write",
  [`POST ${base}/upload-and-transcribe`]: "transcriptions:write",
  [`POST ${base}/transcribe-url`]: "transcriptions:write",
  [`POST ${base}/save-final-transcription`]: "transcriptions:write",
  "PUT /audio/remove-transcription/:id": "transcriptions:write",
  "DELETE /audio/remove-transcription/:id": "transcriptions:write",
  "POST /api/v1/uploads": "transcriptions:write",
  "GET /api/v1/uploads/:id": "transcriptions:write",
  "PATCH /api/v1/uploads/:id": "transcriptions:write",
  "DELETE /api/v1/uploads/:id": "transcriptions:write",
};

const Security = v.array(v.object({ personalAccessToken: v.array(v.string()) }));
const Document = v.object({ paths: v.record(v.string(), v.record(v.string(), v.object({ security: Security }))) });

/** The path of a route with values for its parameters. */
const pathOf = (route: string) =>
  route.replace(/:name\{.*/, "a.webp").replace(/:\w+(\{.*\})?/g, "6f9619ff-8b86-4d01-b42d-00c04fc964ff");

// PROMISE programs: A token reaches only the routes of its scopes, until its end
test("a personal access token reaches exactly the routes of its scopes", async () => {
  const server = await startTestServer();
  const person = await signUp(server);
  // No route accepts both scopes. The refusal of one names the route's scope, and nothing happens.
  const [vocabulary, account] = await Promise.all(
    (["vocabulary", "account:read"] as const).map(async (scope) => (await makeToken(person, { scopes: [scope] })).program),
  );
  const found: Record<string, string> = {};
  const guarded = Object.entries(permissions).filter(([, { answers }]) => answers.startsWith("401 401"));
  for (const [name] of guarded) {
    const [method = "", route = ""] = name.split(" ");
    for (const program of [vocabulary, account]) {
      const answer = await program?.call(method, pathOf(route));
      await answer?.body?.cancel();
      const scope = /scope="([^"]+)"/.exec(answer?.headers.get("WWW-Authenticate") ?? "")?.[1];
      if (scope !== undefined) found[name] = scope;
      else if (answer?.status !== 401 && answer?.status !== 403) found[name] ??= "admitted";
    }
  }
  expect(found).toEqual(expected);

  const { paths } = await read(await fetch(`${server.apiUrl}/openapi.json`), 200, Document);
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { security }]) => {
      // Hono has one route for GET and HEAD.
      const name = `${method.replace("head", "get").toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`;
      return security.flatMap(({ personalAccessToken: scopes }) => scopes.map((scope) => [name, scope]));
    }),
  );
  expect(Object.fromEntries(described)).toEqual(expected);
});
