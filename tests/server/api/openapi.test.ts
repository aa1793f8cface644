import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as v from "valibot";
import { expect, test } from "vitest";
import { TokenScope } from "#contract/index.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { read, startTestServer } from "#tests/server/harness.ts";
import { bodies } from "#tests/server/http/bodies.ts";
import { type Call, permissions } from "#tests/server/http/permissions.ts";
import { peopled } from "#tests/server/http/visitors.ts";
import { makeToken } from "#tests/server/personal-tokens/tokens.ts";

const Content = v.record(v.string(), v.object({ schema: v.optional(v.record(v.string(), v.unknown())) }));
const Operation = v.object({
  operationId: v.string(),
  requestBody: v.optional(v.object({ content: Content })),
  responses: v.record(v.string(), v.object({ content: v.optional(Content, {}) })),
  security: v.array(v.object({ personalAccessToken: v.array(TokenScope) })),
});
const Document = v.object({
  paths: v.record(v.string(), v.record(v.string(), Operation)),
  components: v.object({ schemas: v.record(v.string(), v.record(v.string(), v.unknown())) }),
});

/**
 * Returns a function that validates JSON against a schema of the document.
 * @returns the error text, or null for valid JSON
 */
function checker(document: v.InferOutput<typeof Document>) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "openapi", components: document.components });
  return (schema: Record<string, unknown>, value: unknown) => {
    const own = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components'));
    return ajv.validate(own, value) ? null : ajv.errorsText();
  };
}

function send(
  apiUrl: string,
  token: string | undefined,
  method: string,
  { path = "/", body, headers = {} }: Call,
): Promise<Response> {
  const init = { method, headers: new Headers(headers) };
  if (token !== undefined) init.headers.set("Authorization", `Bearer ${token}`);
  if (body === undefined) return fetch(new URL(path, apiUrl), init);
  if (body instanceof FormData) return fetch(new URL(path, apiUrl), { ...init, body });
  if (body instanceof Uint8Array) return fetch(new URL(path, apiUrl), { ...init, body: new Uint8Array(body) });
  init.headers.set("Content-Type", "application/json");
  return fetch(new URL(path, apiUrl), { ...init, body: JSON.stringify(body) });
}

// PROMISE programs: /openapi.json describes every call of a program, and each description works
test(
  "every operation of /openapi.json works as described, with the scope it names",
  async () => {
    const server = await startTestServer();
    const harness = await peopled(server);
    const raw = await read(await fetch(`${server.apiUrl}/openapi.json`), 200, v.record(v.string(), v.unknown()));
    const { valid, errors } = await new Validator().validate(structuredClone(raw));
    expect([valid, errors]).toEqual([true, undefined]);
    const document = v.parse(Document, raw);
    const problemWith = checker(document);

    // One token for each scope: the hourly limit of new tokens is lower than the number of operations.
    const tokens = new Map<string, string>();
    const tokenFor = async (scopes: TokenScope[]) => {
      const known = tokens.get(scopes.join()) ?? (await makeToken(harness.user, { scopes })).made.token;
      tokens.set(scopes.join(), known);
      return known;
    };
    const found: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    const routes = Object.keys(permissions);
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { operationId, requestBody, responses, security }] of Object.entries(operations)) {
        // Hono has one route for GET and HEAD.
        const verb = method.replace("head", "get").toUpperCase();
        const name = routes.find((route) => route === `${verb} ${path.replace(/\{(\w+)\}/g, ":$1")}`) ?? "none";
        const made: Call = { path, body: bodies[name], ...(await permissions[name]?.call?.(harness)) };
        const scopes = security.flatMap((one) => one.personalAccessToken);
        const token = scopes.length === 0 ? undefined : await tokenFor(scopes);
        const sent = requestBody?.content["application/json"]?.schema;
        const answer = await send(server.apiUrl, token, method.toUpperCase(), made);
        const [status] = Object.keys(responses);
        const schema = responses[answer.status]?.content["application/json"]?.schema;
        const isJson = schema !== undefined || !answer.ok;
        const body: unknown = isJson ? await answer.json() : await answer.body?.cancel();
        found[operationId] = {
          status: String(answer.status),
          sent: sent === undefined ? null : problemWith(sent, made.body),
          answered: schema === undefined ? null : problemWith(schema, body),
        };
        // The server refuses to fetch from this machine; transcribe-url.test.ts tests fetching with its own host.
        expected[operationId] = { status: operationId === "transcribeUrl" ? "422" : status, sent: null, answered: null };
      }
    }
    expect(found).toEqual(expected);
    expect(Object.keys(found).length).toBeGreaterThan(20);
  },
  timeLimit(180_000),
);

test("each operation has its own name, and each scope is used by a described operation", async () => {
  const server = await startTestServer();
  const document = await read(await fetch(`${server.apiUrl}/openapi.json`), 200, Document);
  const described = Object.values(document.paths).flatMap((operations) => Object.values(operations));
  const ids = described.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const scope of TokenScope.options)
    expect(described.some(({ security }) => security.some((one) => one.personalAccessToken.includes(scope)))).toBe(true);
});
