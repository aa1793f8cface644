import type { Handler, MiddlewareHandler } from "hono";
import type { GenericSchema } from "valibot";
import type { AppEnv } from "./env.ts";

/** Under which heading an operation stands. */
type OperationTag =
  | "Transcriptions"
  | "Folders and tags"
  | "Notes"
  | "Uploads"
  | "Trash"
  | "Translations"
  | "Vocabulary"
  | "Account"
  | "Shared links"
  | "Server";

/** What an operation takes besides its path. */
interface Input {
  /** Its query: an object of strings. */
  query?: GenericSchema;
  /** A JSON body. */
  body?: GenericSchema;
  /** The text fields of multipart/form-data, before the field `file`. */
  form?: GenericSchema;
  /** A body of bytes: its content type. */
  bytes?: string;
  /** Request headers by name, with what each is. */
  headers?: Record<string, string>;
}

/** What it answers: JSON of this schema, another content type, or nothing. */
interface Answer {
  status: 200 | 201 | 202 | 204;
  json?: GenericSchema;
  type?: string;
}

/** One operation of the API that programs use: /openapi.json is made of them (api-description/document.ts). */
export interface Operation extends Input {
  /** Unique and stable: what generated clients call it. */
  id: string;
  tag: OperationTag;
  summary: string;
  description?: string;
  /** The scope that a personal access token needs; null: everybody may call it. */
  scope: string | null;
  answer: Answer;
}

const operations = new WeakMap<object, Operation>();

/** For a route: describes what it takes and answers. */
export function describes(operation: Operation): MiddlewareHandler<AppEnv> {
  // A new function per route: the description is found by its identity.
  const pass: MiddlewareHandler<AppEnv> = (_c, next) => next();
  operations.set(pass, operation);
  return pass;
}

/** The description that one of a route's handlers carries. */
export function operationOf(handler: Handler | MiddlewareHandler): Operation | undefined {
  return operations.get(handler);
}
