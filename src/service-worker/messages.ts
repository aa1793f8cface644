/** What a page says to its service worker. */
export type WorkerCommand =
  /** This version is to take the place of the one before. */
  | { type: "activate" }
  /** The page's language ("pt-BR"): its texts are wanted without a network, too. */
  | { type: "speak"; language: string };

/** @returns undefined for what no page of this product says */
export function parseCommand(data: unknown): WorkerCommand | undefined {
  if (typeof data !== "object" || data === null || !("type" in data)) return undefined;
  if (data.type === "activate") return { type: "activate" };
  if (data.type !== "speak" || !("language" in data) || typeof data.language !== "string") return undefined;
  return /^[a-z]{2}(-[A-Z]{2})?$/.test(data.language) ? { type: "speak", language: data.language } : undefined;
}
