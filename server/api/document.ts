import type { ConversionConfig, JsonSchema } from "@valibot/to-json-schema";
import type { RouterRoute } from "hono/types";
import type { GenericSchema } from "valibot";
import {
  EnginesAnswer,
  ErrorBody,
  Progress,
  Segment,
  Transcription,
  TranscriptionSummary,
  TranscriptionUpdate,
  TrashItem,
  UserProfile,
  WebhookMessage,
  Word,
  webhookEvents,
} from "#contract/index.ts";
import { type HeaderName, type Operation, operationOf, operationTexts as texts } from "#server/http/operations.ts";

type Convert = (schema: GenericSchema, typeMode: "input" | "output") => JsonSchema;
type Json = Record<string, unknown>;

/** Schemas with their own name in the document. */
const named = {
  EnginesAnswer,
  ErrorBody,
  Progress,
  Segment,
  Transcription,
  TranscriptionSummary,
  TranscriptionUpdate,
  TrashItem,
  UserProfile,
  Word,
};

const introduction = `The API of this server, for your own programs.

Create a personal access token in the settings, with the scopes that your program needs. Send it with each request:
\`Authorization: Bearer parlance_…\`. Every answer with a status other than 200 to 299 is JSON with a \`message\` and a stable \`code\`.
429 and 503 come with \`Retry-After\`, in seconds. Times are ISO 8601 in UTC. Durations and positions are seconds.`;

/**
 * The OpenAPI 3.1 document of the routes that describe themselves (http/operations.ts). Its schemas are converted from
 * those that check the requests.
 */
export async function openApiDocument(routes: readonly RouterRoute[]): Promise<Json> {
  const convert = await converter();
  const paths: Record<string, Json> = {};
  const scopes = new Set<string>();
  for (const { method, path, handler } of routes) {
    const operation = operationOf(handler);
    if (operation === undefined) continue;
    if (operation.scope !== null) scopes.add(operation.scope);
    const at = path.replace(/:(\w+)(\{[^/]*\})?/g, "{$1}");
    paths[at] = { ...paths[at], [operation.method ?? method.toLowerCase()]: viewOperation(operation, at, convert) };
  }
  const schemas = Object.entries(named).map(([name, schema]) => [name, convert(schema, "output")] as const);
  return {
    openapi: "3.1.1",
    info: { title: "Parlance", version: "1", description: introduction },
    servers: [{ url: "/" }],
    paths,
    webhooks: webhooksOf(convert),
    components: {
      schemas: Object.fromEntries(schemas.map(([name, schema]) => [name, "$defs" in schema ? schema.$defs?.[name] : schema])),
      securitySchemes: {
        personalAccessToken: { type: "http", scheme: "bearer", description: `Scopes: ${[...scopes].toSorted().join(", ")}.` },
      },
    },
  };
}

const webhookHeaders = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/** The requests that this server sends to its users' own addresses. */
function webhooksOf(convert: Convert): Json {
  const schema = inlined(convert(WebhookMessage, "output"));
  const sent = {
    tags: [texts.tags.webhooks],
    description: texts.more.webhook,
    parameters: webhookHeaders.map(headerOf),
    requestBody: { required: true, content: { "application/json": { schema } } },
    responses: { "2XX": { description: "Received." } },
    security: [],
  };
  return Object.fromEntries(
    webhookEvents.map((event) => [event, { post: { summary: texts.calls.webhook.replace("{{event}}", event), ...sent } }]),
  );
}

async function converter(): Promise<Convert> {
  // Loaded at the first request for the document.
  const { toJsonSchema } = await import("@valibot/to-json-schema");
  const options: ConversionConfig = {
    target: "draft-2020-12",
    // The server still checks rules that JSON Schema can't express (checks in code, transformations).
    errorMode: "ignore",
    definitions: named,
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  };
  return (schema, typeMode) => {
    const { $schema: _, ...converted } = toJsonSchema(schema, { ...options, typeMode });
    return converted;
  };
}

/** A schema without the definitions that stand once in the document. */
function inlined(schema: JsonSchema): Json {
  const { $defs: _, ...rest } = schema;
  return rest;
}

function viewOperation(operation: Operation, path: string, convert: Convert): Json {
  const { id, tag, scope } = operation;
  const more: Partial<Record<string, string>> = texts.more;
  const body = bodyOf(operation, convert);
  const parameters = parametersOf(operation, path, convert);
  return {
    operationId: id,
    tags: [texts.tags[tag]],
    summary: texts.calls[id],
    ...(more[id] !== undefined && { description: more[id] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, content: body } }),
    responses: {
      [statusOf(operation)]: answerOf(operation, convert),
      default: {
        description: "An error, with a message in English.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/ErrorBody" } } },
      },
    },
    security: scope === null ? [] : [{ personalAccessToken: [scope] }],
  };
}

function statusOf({ status, json, type }: Operation): number {
  return status ?? (json === undefined && type === undefined ? 204 : 200);
}

function answerOf({ json, type }: Operation, convert: Convert): Json {
  if (json !== undefined)
    return { description: "Done.", content: { "application/json": { schema: inlined(convert(json, "output")) } } };
  return type === undefined ? { description: "Done." } : { description: "Done.", content: { [type]: {} } };
}

function bodyOf({ body, form, bytes }: Operation, convert: Convert): Json | undefined {
  if (body !== undefined) return { "application/json": { schema: inlined(convert(body, "input")) } };
  if (bytes !== undefined) return { [bytes]: {} };
  if (form === undefined) return undefined;
  const fields = inlined(convert(form, "input"));
  const file = {
    type: "string",
    contentMediaType: "application/octet-stream",
    description: "The file. It must be the last field.",
  };
  const required = Array.isArray(fields.required) ? fields.required : [];
  const properties = { ...(typeof fields.properties === "object" ? fields.properties : {}), file };
  return { "multipart/form-data": { schema: { ...fields, properties, required: [...required, "file"] } } };
}

function parametersOf({ query, headers = [] }: Operation, path: string, convert: Convert): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const fields: Json = query === undefined ? {} : inlined(convert(query, "input"));
  const required: unknown[] = Array.isArray(fields.required) ? fields.required : [];
  const inQuery = Object.entries(fields.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
  return [...inPath, ...inQuery, ...headers.map(headerOf)];
}

const headerOf = (name: HeaderName): Json => ({
  name,
  in: "header",
  required: true,
  description: texts.headers[name],
  schema: { type: "string" },
});
