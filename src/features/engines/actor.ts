import * as v from "valibot";
import { EnginesAnswer } from "#contract/index.ts";
import { isAway } from "#src/browser/network.ts";
import { storage } from "#src/browser/storage.ts";
import { enginesApi } from "#src/features/session/api-resources.ts";
import { loadTexts } from "#src/i18n/index.ts";

/** How long the engines are cached (ms). They change only with the server's configuration. */
const freshMs = 60_000;

/** The last answer, used without a network. It is neither secret nor personal. */
const lastKey = "lastEngines";
const LastEngines = v.pipe(v.string(), v.parseJson(), EnginesAnswer);

/** @throws ApiError, and also without a network if this browser has never had an answer */
async function askEngines(): Promise<EnginesAnswer> {
  const last = isAway() ? v.safeParse(LastEngines, storage.read(lastKey)) : undefined;
  if (last?.success) return last.output;
  const answer = await enginesApi.engines();
  storage.write(lastKey, JSON.stringify(answer));
  return answer;
}

let asked: { at: number; answer: Promise<EnginesAnswer> } | undefined;

/** The server's transcription and translation engines. @throws ApiError; failures are not cached */
export function loadEngines(): Promise<EnginesAnswer> {
  if (asked !== undefined && Date.now() - asked.at < freshMs) return asked.answer;
  const answer = askEngines();
  const mine = { at: Date.now(), answer };
  asked = mine;
  answer.catch(() => {
    if (asked === mine) asked = undefined;
  });
  return answer;
}

/** Clears the cache. Needed in tests, whose servers change faster than the cache expires. */
export function clearEngines(): void {
  asked = undefined;
}

/** Loads the engines for a page about files, and the page's texts. */
export async function loadFileEngines(): Promise<EnginesAnswer> {
  const [engines] = await Promise.all([loadEngines(), loadTexts("uploads")]);
  return engines;
}
