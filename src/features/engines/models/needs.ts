import * as v from "valibot";
import { type Needs, uses } from "#machines/engines/models/rules.ts";
import { storage } from "#src/browser/storage.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";

const key = "modelNeeds";
const Persisted = v.object({ languages: v.array(v.string()), uses: v.array(v.picklist(uses)) });

/** What was wanted last in this browser; else to hear its languages. @param language of the interface */
export function recallNeeds(language: string, preferred: readonly string[] = navigator.languages): Needs {
  const kept = v.safeParse(v.pipe(v.string(), v.parseJson(), Persisted), storage.read(key));
  if (kept.success) return kept.output;
  return { languages: [...new Set([language, ...preferred].map(baseLanguage))].slice(0, 3), uses: ["hearing"] };
}

export function persistNeeds(needs: Needs): void {
  storage.write(key, JSON.stringify(needs));
}
