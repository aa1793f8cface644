import * as v from "valibot";
import type { AnyEventObject } from "xstate";

/** String properties of contexts and events that may be sent: codes and kinds. All other strings become "•••". */
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
/** The form of a code, which tokens, email addresses and sentences don't have. */
const plain = /^[\w.:-]{1,48}$/;
/** Longer, because XState's internal events contain state ids. */
const eventType = /^[\w.:-]{1,200}$/;

export const hidden = "•••";
const maxItems = 20;
const maxDepth = 8;

const Fields = v.record(v.string(), v.unknown());

/** The properties of an object; {} for anything else. */
export const record = (value: unknown): Record<string, unknown> => (v.is(Fields, value) ? value : {});

/** Keeps a context's structure, numbers and codes. */
export const sanitizeContext = (context: unknown) => record(withoutSecrets(context));

/** Keeps an event's type, structure, numbers and codes. */
export const sanitizeEvent = (event: AnyEventObject): AnyEventObject => ({ ...sanitizeContext(event), type: event.type });

/**
 * Removes personal data from a context or event for an inspector. Keeps structure, numbers and codes. Tokens, email
 * addresses, names, transcribed or typed text, and audio stay in the page. New properties are hidden until the list
 * above names them.
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
  // Traverses only plain records, not buffers, files, streams or maps.
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

/** A list's property name also applies to the strings in the list. */
function listShown(items: readonly unknown[], name: string, depth: number): unknown[] {
  const first = items.slice(0, maxItems).map((item) => shown(item, typeof item === "string" ? name : "", depth + 1));
  return items.length > maxItems ? [...first, items.length - maxItems] : first;
}

function errorShown(error: Error): unknown {
  const code = "code" in error ? shown(error.code, "code", 0) : undefined;
  const status = "status" in error && typeof error.status === "number" ? error.status : undefined;
  return { type: "error", code, status };
}
