import type { Handler, MiddlewareHandler } from "hono";
import type { GenericSchema } from "valibot";
import type { TokenScope } from "#contract/index.ts";
import texts from "../../public/locales/en/api.json" with { type: "json" };
import type { AppEnv } from "./env.ts";

/** The texts of the operations, in English: /api shows them in the reader's language. */
export const operationTexts = texts;

export type HeaderName = keyof typeof texts.headers;

/** The input of an operation besides its path. */
interface Input {
  /** Its query: an object of strings. */
  query?: GenericSchema;
  /** A JSON body. */
  body?: GenericSchema;
  /** The text fields of multipart/form-data, before the field `file`. */
  form?: GenericSchema;
  /** A body of bytes: its content type. */
  bytes?: string;
  headers?: readonly HeaderName[];
}

/** Its answer: JSON of this schema, another content type, or nothing. */
interface Answer {
  /** Default: 200, and 204 without a content. */
  status?: 200 | 201 | 202;
  json?: GenericSchema;
  type?: string;
}

/** One operation of the API for programs, as described in /openapi.json (api/document.ts). */
export interface Operation extends Input, Answer {
  /** Unique and stable: what generated clients call it, and by what the texts know it. */
  id: keyof typeof texts.calls;
  tag: keyof typeof texts.tags;
  /** The scope that a personal access token needs; null: everybody may call it. */
  scope: TokenScope | null;
  /** The method if it differs from the route's: Hono has one route for GET and HEAD. */
  method?: "head";
}

const operations = new WeakMap<object, Operation>();

/**
 * Describes the input and the answer of a route.
 * @param handler identifies the description, so each route needs its own function
 */
export function describes(
  operation: Operation,
  handler: MiddlewareHandler<AppEnv> = (_c, next) => next(),
): MiddlewareHandler<AppEnv> {
  operations.set(handler, operation);
  return handler;
}

/** The description that one of a route's handlers carries. */
export function operationOf(handler: Handler | MiddlewareHandler): Operation | undefined {
  return operations.get(handler);
}
