import * as v from "valibot";
import { Language } from "#contract/index.ts";
import type { Call } from "./http.ts";

/** SPEC.md section 7, "Languages and health", in order of preference. */
export const languagePaths = ["/languages/codes", "/languages/supported", "/languages/grouped", "/languages"] as const;

const listKeys = ["languages", "data", "supportedLanguages"] as const;
/** The place of the list: the answer itself, or the field's name. */
type AnswerShape = "array" | (typeof listKeys)[number];

export interface AcceptedLanguages {
  shape: AnswerShape;
  /** At least one; codes are unique. */
  languages: readonly Language[];
  /** The number of skipped items: invalid ones and duplicate codes. */
  leftOut: number;
}

const Named = v.pipe(
  Language,
  v.check(({ code, name }) => code.trim() !== "" && name.trim() !== "", "A language needs a code and a name."),
);
const Fields = v.record(v.string(), v.unknown());

/** The languages in an answer of the /languages calls; null when there are none. */
export function acceptLanguages(answer: unknown): AcceptedLanguages | null {
  for (const [shape, items] of listsOf(answer)) {
    const languages = new Map<string, Language>();
    for (const item of items) {
      const language = v.safeParse(Named, item);
      if (language.success && !languages.has(language.output.code)) languages.set(language.output.code, language.output);
    }
    if (languages.size > 0) return { shape, languages: [...languages.values()], leftOut: items.length - languages.size };
  }
  return null;
}

function listsOf(answer: unknown): [AnswerShape, unknown[]][] {
  if (Array.isArray(answer)) return [["array", answer]];
  const fields = v.safeParse(Fields, answer);
  if (!fields.success) return [];
  return listKeys.flatMap((key): [AnswerShape, unknown[]][] => {
    const list = fields.output[key];
    return Array.isArray(list) ? [[key, list]] : [];
  });
}

/**
 * The languages of the first call that works. Tries the next one after a failure or an answer without languages.
 * @returns null when none works
 * @throws an abort's own reason
 */
export async function findLanguages(call: Call, signal?: AbortSignal): Promise<readonly Language[] | null> {
  for (const path of languagePaths) {
    try {
      const accepted = acceptLanguages(await call(path, { schema: v.unknown(), signal }));
      if (accepted !== null) return accepted.languages;
    } catch {
      // The next call makes up for a failure. /debug/languages shows the reason.
      signal?.throwIfAborted();
    }
  }
  return null;
}
