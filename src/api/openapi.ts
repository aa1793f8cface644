import * as v from "valibot";
import type { Call } from "./http.ts";

// The parts of an OpenAPI 3.1 document that the page reads, as this server writes it (server/api/document.ts).

/** A JSON Schema (draft 2020-12). Only the fields that the page shows. */
export interface JsonSchema {
  $ref?: string | undefined;
  type?: string | undefined;
  const?: unknown;
  enum?: unknown[] | undefined;
  anyOf?: JsonSchema[] | undefined;
  oneOf?: JsonSchema[] | undefined;
  items?: JsonSchema | false | undefined;
  properties?: Record<string, JsonSchema> | undefined;
  required?: string[] | undefined;
  additionalProperties?: JsonSchema | boolean | undefined;
}

export const JsonSchema: v.GenericSchema<JsonSchema> = v.object({
  $ref: v.optional(v.string()),
  type: v.optional(v.string()),
  const: v.optional(v.unknown()),
  enum: v.optional(v.array(v.unknown())),
  anyOf: v.optional(v.array(v.lazy(() => JsonSchema))),
  oneOf: v.optional(v.array(v.lazy(() => JsonSchema))),
  items: v.optional(v.union([v.literal(false), v.lazy(() => JsonSchema)])),
  properties: v.optional(
    v.record(
      v.string(),
      v.lazy(() => JsonSchema),
    ),
  ),
  required: v.optional(v.array(v.string())),
  additionalProperties: v.optional(v.union([v.boolean(), v.lazy(() => JsonSchema)])),
});

const Content = v.record(v.string(), v.object({ schema: v.optional(JsonSchema) }));
const Operation = v.object({
  operationId: v.optional(v.string()),
  tags: v.optional(v.array(v.string()), []),
  summary: v.string(),
  description: v.optional(v.string()),
  parameters: v.optional(
    v.array(
      v.object({
        name: v.string(),
        in: v.string(),
        required: v.optional(v.boolean(), false),
        description: v.optional(v.string()),
        schema: v.optional(JsonSchema, {}),
      }),
    ),
    [],
  ),
  requestBody: v.optional(v.object({ content: Content })),
  responses: v.record(v.string(), v.object({ content: v.optional(Content, {}) })),
  security: v.optional(v.array(v.record(v.string(), v.array(v.string()))), []),
});
export type ApiOperation = v.InferOutput<typeof Operation>;

const Paths = v.optional(v.record(v.string(), v.record(v.string(), Operation)), {});
const Document = v.object({
  info: v.object({ title: v.string(), description: v.optional(v.string()) }),
  paths: Paths,
  webhooks: Paths,
  components: v.optional(v.object({ schemas: v.optional(v.record(v.string(), JsonSchema), {}) }), {}),
});
export type ApiDocument = v.InferOutput<typeof Document>;

/** The description of the API for programs. @throws ApiError */
export const fetchApiDocument = (call: Call, signal?: AbortSignal) => call("/openapi.json", { schema: Document, signal });
