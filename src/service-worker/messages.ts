/** A message from a page to its service worker. */
export type WorkerCommand =
  /** Makes this version replace the previous one. */
  | { type: "activate" }
  /** Caches the texts of the page's language ("pt-BR") for use without a network. */
  | { type: "speak"; language: string };

/** @returns undefined for a message that no page of this product sends */
export function parseCommand(data: unknown): WorkerCommand | undefined {
  if (typeof data !== "object" || data === null || !("type" in data)) return undefined;
  if (data.type === "activate") return { type: "activate" };
  if (data.type !== "speak" || !("language" in data) || typeof data.language !== "string") return undefined;
  return /^[a-z]{2}(-[A-Z]{2})?$/.test(data.language) ? { type: "speak", language: data.language } : undefined;
}
