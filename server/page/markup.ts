const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text that may stand in an element or in an attribute between quotes, of HTML and XML alike. */
export function escaped(text: string): string {
  return clean(text).replace(/[&<>"']/g, (mark) => entities[mark] ?? mark);
}

/** Without what no XML may hold: control characters and halves of characters. */
export function clean(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}|[\uFFFE\uFFFF]/gu, (mark) => (mark === "\n" || mark === "\t" ? mark : ""));
}

/** JSON for a script element that holds data: nothing in it ends the element. */
export function jsonInScript(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
