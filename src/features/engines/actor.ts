import * as v from "valibot";
import { EnginesAnswer } from "#contract/index.ts";
import { isAway } from "#src/browser/network.ts";
import { storage } from "#src/browser/storage.ts";
import { enginesApi } from "#src/features/session/api-resources.ts";
import { loadTexts } from "#src/i18n/index.ts";

/** Engines change only with the server's configuration: they are cached for this long (ms). */
const freshMs = 60_000;

/** The answer of the last time, for when nobody can be asked: which languages there are is no secret, and nobody's own. */
const lastKey = "lastEngines";
const LastEngines = v.pipe(v.string(), v.parseJson(), EnginesAnswer);

/** @throws ApiError; without a network, where this browser has never had an answer */
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

/** The next page asks anew: for tests, which follow each other faster than a server changes. */
export function clearEngines(): void {
  asked = undefined;
}

/** The same for a page about files; also loads its texts. */
export async function loadFileEngines(): Promise<EnginesAnswer> {
  const [engines] = await Promise.all([loadEngines(), loadTexts("uploads")]);
  return engines;
}
