import { parseVocabulary } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { type FindReplacements, prepareReplacements } from "#speech/written/replacements.ts";
import { findVocabulary } from "./queries.ts";

/** The names, terms and replacements for a recording. */
export interface Expectations {
  /** Names and terms for the engine (TranscribeOptions.vocabulary), the recording's own first. */
  terms: readonly string[];
  /** Finds replacements of recognized words. Of two for the same words, the first counts. */
  replace: FindReplacements;
}

/**
 * A recording's own vocabulary, joined with that of the user's account. @param own the vocabulary given with the
 * recording
 */
export async function expectationsOf(db: Db, userId: string, own: string | null): Promise<Expectations> {
  const [recording, account] = [parseVocabulary(own ?? ""), parseVocabulary((await findVocabulary(db, userId)).text)];
  return {
    terms: [...new Set([...recording.terms, ...account.terms])],
    replace: prepareReplacements([...recording.replacements, ...account.replacements]),
  };
}
