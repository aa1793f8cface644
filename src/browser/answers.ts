import { isServerRendered } from "./server-rendered.ts";

// The API's answers with which the page's HTML was rendered. The page's script hydrates the HTML with the same answers.

/** The id of the element with the answers: JSON, by path and query. */
export const answersId = "parlance-answers";

let answers: Map<string, unknown> | undefined;
/** In the renderer: paths that were requested without an answer. */
const missing = new Set<string>();

/** Sets the renderer's answers for the next rendering. @param given JSON, by path and query */
export function answerWith(given: ReadonlyMap<string, unknown>): void {
  answers = new Map(given);
  missing.clear();
}

/** Notes that nothing can be rendered without the answer to this path. */
export function missAnswer(path: string): void {
  missing.add(path);
}

/** The API paths whose answers this rendering needs first. */
export const missingAnswers = (): string[] => [...missing];

/**
 * The answer to a GET that came with the HTML. Returned only once, so that the next request goes to the server.
 * @param path of the API, with its query
 */
export function takeAnswer(path: string): { json: unknown } | undefined {
  if (!isServerRendered()) return undefined;
  answers ??= answersInDocument();
  if (!answers.has(path)) return undefined;
  const json = answers.get(path);
  answers.delete(path);
  return { json };
}

function answersInDocument(): Map<string, unknown> {
  const text = document.getElementById(answersId)?.textContent;
  const parsed: unknown = text ? JSON.parse(text) : {};
  return new Map(typeof parsed === "object" && parsed !== null ? Object.entries(parsed) : []);
}
