import type { Context } from "hono";
import * as v from "valibot";
import { Problem } from "../problem.ts";

/** Largest JSON body unless a route says otherwise, in bytes. */
const smallBody = 64 * 1024;

/**
 * Reads a JSON body and checks it.
 * @param most largest size in bytes
 * @throws Problem `tooLarge` or `badRequest`, whose message names the field
 */
export async function readJson<Output>(c: Context, schema: v.GenericSchema<unknown, Output>, most = smallBody): Promise<Output> {
  // A plain form of another site can't send this type: together with the Origin check nothing is done for a stranger's page.
  if (!/^application\/json\b/i.test(c.req.header("content-type") ?? "")) {
    throw new Problem("badRequest", "The content type must be application/json.", { status: 415 });
  }
  const text = await readText(c, most);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem("badRequest", "The body is not JSON.");
  }
  return check(schema, value);
}

/** @throws Problem `badRequest`, whose message names the field */
export function check<Output>(schema: v.GenericSchema<unknown, Output>, value: unknown): Output {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const path = v.getDotPath(issue);
  throw new Problem("badRequest", path === null ? issue.message : `${path}: ${issue.message}`);
}

async function readText(c: Context, most: number): Promise<string> {
  return (await readBytes(c, most)).toString("utf8");
}

/** Reads a body whole. @param most largest size in bytes @throws Problem `tooLarge` */
export async function readBytes(c: Context, most: number): Promise<Buffer> {
  const tooLarge = () => new Problem("tooLarge", `The body is larger than ${most} bytes.`);
  if (Number(c.req.header("content-length") ?? 0) > most) throw tooLarge();
  const { body } = c.req.raw;
  if (body === null) return Buffer.alloc(0);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > most) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}
