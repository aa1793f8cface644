import type { EnginesAnswer } from "#contract/index.ts";
import { enginesApi } from "#src/features/session/api-resources.ts";
import { loadTexts } from "#src/i18n/index.ts";

/** Engines change only with the server's configuration: they are cached for this long (ms). */
const freshMs = 60_000;

let asked: { at: number; answer: Promise<EnginesAnswer> } | undefined;

/** The server's transcription and translation engines. @throws ApiError; failures are not cached */
export function loadEngines(): Promise<EnginesAnswer> {
  if (asked !== undefined && Date.now() - asked.at < freshMs) return asked.answer;
  const answer = enginesApi.engines();
  const mine = { at: Date.now(), answer };
  asked = mine;
  answer.catch(() => {
    if (asked === mine) asked = undefined;
  });
  return answer;
}

/** The same for a page about files; also loads its texts. */
export async function loadFileEngines(): Promise<EnginesAnswer> {
  const [engines] = await Promise.all([loadEngines(), loadTexts("uploads")]);
  return engines;
}
