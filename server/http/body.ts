import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import * as v from "valibot";
import { Problem } from "#server/errors/problem.ts";
import type { AppEnv } from "./env.ts";
import { firstIssue, parseJson } from "./json.ts";
import { operationOf } from "./operations.ts";

/**
 * Reads and validates a JSON body.
 * @throws Problem `tooLarge` (http/limits.ts) or `badRequest`, whose message names the field
 */
export async function readJson<Output>(c: Context<AppEnv>, schema: v.GenericSchema<unknown, Output>): Promise<Output> {
  refuseOther(c, "body", schema);
  return check(schema, parseJson((await readJsonBytes(c)).toString("utf8")));
}

/** Validates a query. @throws Problem `badRequest`, whose message names the field */
export function readQuery<Output>(c: Context<AppEnv>, schema: v.GenericSchema<unknown, Output>): Output {
  refuseOther(c, "query", schema);
  return check(schema, c.req.query());
}

/**
 * Checks that a route's own description (/openapi.json) is what validates its requests.
 * @throws Error if it is not
 */
function refuseOther(c: Context<AppEnv>, part: "body" | "query", schema: v.GenericSchema): void {
  for (const { handler } of matchedRoutes(c)) {
    const operation = operationOf(handler);
    if (operation !== undefined && operation[part] !== schema) throw new Error(`${operation.id} describes another ${part}.`);
  }
}

/**
 * A JSON body, unparsed: a large one is parsed in a thread.
 * @throws Problem `tooLarge`, `badRequest`
 */
export async function readJsonBytes(c: Context<AppEnv>): Promise<Buffer<ArrayBuffer>> {
  // A form of another site can't send this type without a preflight: with the Origin check, this is the CSRF
  // protection.
  if (!/^application\/json\b/i.test(c.req.header("content-type") ?? "")) {
    throw new Problem("badRequest", "The content type must be application/json.", { status: 415 });
  }
  return readBytes(c);
}

/** Maximum characters of an error message, which quotes the input. */
const longestMessage = 1_000;

/** @throws Problem `badRequest`, whose message names the field */
export function check<Output>(schema: v.GenericSchema<unknown, Output>, value: unknown): Output {
  const parsed = v.safeParse(schema, value, firstIssue);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const path = v.getDotPath(issue);
  const message = issue.message.slice(0, longestMessage);
  throw new Problem("badRequest", path === null ? message : `${path}: ${message}`);
}

/** Reads a whole body, up to its route's limit (http/limits.ts). @throws Problem `tooLarge`, `interrupted` */
export async function readBytes(c: Context<AppEnv>): Promise<Buffer<ArrayBuffer>> {
  try {
    return Buffer.from(await c.req.raw.arrayBuffer());
  } catch (error) {
    throw isCalledOff(c) && !(error instanceof Problem) ? new Problem("interrupted", undefined, { cause: error }) : error;
  }
}

/** Whether the client disconnected before the request was complete. */
export function isCalledOff(c: Context<AppEnv>): boolean {
  const { incoming } = c.env;
  return incoming.destroyed && !incoming.complete;
}
