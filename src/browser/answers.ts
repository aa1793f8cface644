import { isServerRendered } from "./server-rendered.ts";

// What the API has answered to whoever has rendered the page's HTML: with the same answers the page's script takes it over.

/** The id of the element that has them: JSON, by path and query. */
export const answersId = "parlance-answers";

let answers: Map<string, unknown> | undefined;
/** Paths that were asked for and not answered, in the renderer. */
const missing = new Set<string>();

/** For the renderer: those of what it renders next. @param given JSON, by path and query */
export function answerWith(given: ReadonlyMap<string, unknown>): void {
  answers = new Map(given);
  missing.clear();
}

/** Without the answer to this path, nothing can be rendered. */
export function missAnswer(path: string): void {
  missing.add(path);
}

/** The API's paths that this rendering has to be given first. */
export const missingAnswers = (): string[] => [...missing];

/**
 * The answer to a GET that came along with the HTML; each once, so that whoever asks again asks the server.
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
