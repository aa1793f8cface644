const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes text for elements and quoted attributes of HTML and XML. */
export function escaped(text: string): string {
  return clean(text).replace(/[&<>"']/g, (mark) => entities[mark] ?? mark);
}

/** Removes characters that are invalid in XML: control characters and lone surrogates. */
export function clean(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}|[\uFFFE\uFFFF]/gu, (mark) => (mark === "\n" || mark === "\t" ? mark : ""));
}

/** JSON for a script element with data: nothing in it ends the element. */
export function jsonInScript(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
