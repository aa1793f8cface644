import type { EnginesAnswer } from "#contract/index.ts";
import { enginesApi } from "#src/features/session/api-resources.ts";
import { loadTexts } from "#src/i18n/index.ts";

/** What works changes only when whoever runs the server changes it: asked for once in this time (ms). */
const freshMs = 60_000;

let asked: { at: number; answer: Promise<EnginesAnswer> } | undefined;

/** What the server can hear and translate. @throws ApiError; a failure is not kept */
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

/** The same for a page about files, with its texts. */
export async function loadFileEngines(): Promise<EnginesAnswer> {
  const [engines] = await Promise.all([loadEngines(), loadTexts("uploads")]);
  return engines;
}
