import { parseVocabulary } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { type FindReplacements, prepareReplacements } from "#speech/written/replacements.ts";
import { findVocabulary } from "./queries.ts";

/** What is expected in a recording. */
export interface Expectations {
  /** Names and terms for the engine (TranscribeOptions.vocabulary), the recording's own first. */
  terms: readonly string[];
  /** What is written instead of what was recognized; of two for the same, the first counts. */
  replace: FindReplacements;
}

/** A recording's own vocabulary, joined with that of the person's account. @param own what was given with the recording */
export async function expectationsOf(db: Db, userId: string, own: string | null): Promise<Expectations> {
  const [recording, account] = [parseVocabulary(own ?? ""), parseVocabulary((await findVocabulary(db, userId)).text)];
  return {
    terms: [...new Set([...recording.terms, ...account.terms])],
    replace: prepareReplacements([...recording.replacements, ...account.replacements]),
  };
}
