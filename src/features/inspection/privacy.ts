/** The only texts that leave: codes and kinds of things, by the name that they have in a context or an event. All else is "•••". */
const telling = new Set([
  ...[
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
  ],
  ...["sourceLanguage", "targetLanguage", "language", "dateRange", "error", "failure", "lostCode", "loadError", "saveError"],
  ...["userId", "savedId", "selectedId", "ownerId"],
]);
/** A code is short and plain; no token, e-mail address or sentence looks like it. */
const plain = /^[\w.:-]{1,48}$/;
/** An actor's internal events have the ids of the states in them. */
const eventType = /^[\w.:-]{1,200}$/;

export const hidden = "•••";
const maxItems = 20;
const maxDepth = 8;

/**
 * A context or an event as an inspector may have it: its shape, its numbers, and codes. Tokens, e-mail addresses, names, what was said or
 * typed, and audio stay in the page; what is new is hidden until it is named above.
 */
export function withoutSecrets(value: unknown): unknown {
  return shown(value, "", 0);
}

function shown(value: unknown, name: string, depth: number): unknown {
  if (typeof value === "string") return isTelling(value, name) ? value : hidden;
  if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= maxDepth) return hidden;
  if (Array.isArray(value)) return listShown(value, name, depth);
  if (value instanceof Error) return errorShown(value);
  if ("sessionId" in value && "getSnapshot" in value) return { actor: "id" in value ? shown(value.id, "id", depth) : hidden };
  // Buffers, files, streams, maps: whatever is more than a plain record is not looked into.
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return hidden;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shown(part, key, depth + 1)]));
}

function isTelling(text: string, name: string): boolean {
  if (!telling.has(name)) return false;
  return (name === "type" ? eventType : plain).test(text) && !looksLikeToken(text);
}

/** Every JSON Web Token begins with a brace in base64. */
const looksLikeToken = (text: string): boolean => text.startsWith("ey") && text.length > 20;

/** A text in a list is of the list's kind. */
function listShown(items: readonly unknown[], name: string, depth: number): unknown[] {
  const first = items.slice(0, maxItems).map((item) => shown(item, typeof item === "string" ? name : "", depth + 1));
  return items.length > maxItems ? [...first, items.length - maxItems] : first;
}

function errorShown(error: Error): unknown {
  const code = "code" in error ? shown(error.code, "code", 0) : undefined;
  const status = "status" in error && typeof error.status === "number" ? error.status : undefined;
  return { type: "error", code, status };
}
