import * as v from "valibot";
import type { AnyEventObject } from "xstate";

/** Allow-list of string properties, in contexts and events, that are sent: codes and kinds. All others become "•••". */
const shownProperties = new Set([
  "type",
  "status",
  "code",
  "id",
  "kind",
  "stage",
  "reason",
  "origin",
  "outcome",
  "command",
  "format",
  "key",
  "field",
  "need",
  "toast",
  "sourceLanguage",
  "targetLanguage",
  "language",
  "dateRange",
  "error",
  "failure",
  "lostCode",
  "loadError",
  "saveError",
  "userId",
  "savedId",
  "selectedId",
  "ownerId",
]);
/** A code is short and plain, unlike tokens, email addresses and sentences. */
const plain = /^[\w.:-]{1,48}$/;
/** XState's internal events contain state ids. */
const eventType = /^[\w.:-]{1,200}$/;

export const hidden = "•••";
const maxItems = 20;
const maxDepth = 8;

const Fields = v.record(v.string(), v.unknown());

/** The properties of an object; none of anything else. */
export const record = (value: unknown): Record<string, unknown> => (v.is(Fields, value) ? value : {});

/** A context's shape, numbers and codes. */
export const sanitizeContext = (context: unknown) => record(withoutSecrets(context));

/** An event's type, shape, numbers and codes. */
export const sanitizeEvent = (event: AnyEventObject): AnyEventObject => ({ ...sanitizeContext(event), type: event.type });

/**
 * A context or an event for an inspector: its shape, its numbers, and codes. Tokens, email addresses, names, transcribed or typed
 * text, and audio stay in the page; new properties are hidden until they are listed above.
 */
export function withoutSecrets(value: unknown): unknown {
  return shown(value, "", 0);
}

function shown(value: unknown, name: string, depth: number): unknown {
  if (typeof value === "string") return isShown(value, name) ? value : hidden;
  if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= maxDepth) return hidden;
  if (Array.isArray(value)) return listShown(value, name, depth);
  if (value instanceof Error) return errorShown(value);
  if ("sessionId" in value && "getSnapshot" in value) return { actor: "id" in value ? shown(value.id, "id", depth) : hidden };
  // Only plain records are traversed: no buffers, files, streams or maps.
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return hidden;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shown(part, key, depth + 1)]));
}

function isShown(text: string, name: string): boolean {
  if (!shownProperties.has(name)) return false;
  return (name === "type" ? eventType : plain).test(text) && !looksLikeToken(text);
}

/** The base64 of every JWT begins with that of a brace. */
const looksLikeToken = (text: string): boolean => text.startsWith("ey") && text.length > 20;

/** A string in a list is treated as the list's property. */
function listShown(items: readonly unknown[], name: string, depth: number): unknown[] {
  const first = items.slice(0, maxItems).map((item) => shown(item, typeof item === "string" ? name : "", depth + 1));
  return items.length > maxItems ? [...first, items.length - maxItems] : first;
}

function errorShown(error: Error): unknown {
  const code = "code" in error ? shown(error.code, "code", 0) : undefined;
  const status = "status" in error && typeof error.status === "number" ? error.status : undefined;
  return { type: "error", code, status };
}
