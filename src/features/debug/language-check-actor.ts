import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { languageCheckMachine } from "#machines/debug/language-check.ts";
import { reportOf } from "#src/api/call-report.ts";
import { apiBase } from "#src/api/http.ts";
import { languagePaths } from "#src/api/languages.ts";
import { inspected } from "#src/browser/inspection.ts";
import { perVisit } from "#src/browser/per-visit.ts";
import { loadTexts } from "#src/i18n/index.ts";

export type LanguageCheck = ActorRefFrom<typeof languageCheckMachine>;

/** GET / is the health check (SPEC.md section 7). The others follow in the product's order of fallback. */
const calls = ["/", ...languagePaths];

const asking = { base: apiBase, ask: fetch.bind(globalThis), now: () => performance.now() };

const machine = languageCheckMachine.provide({
  actors: { ask: fromPromise(({ input, signal }) => reportOf(input.path, asking, signal)) },
});

const check = perVisit((): LanguageCheck => createActor(machine, { ...inspected(), input: { calls } }).start());

/**
 * Starts the state of /debug/languages and loads the page's texts. Returns the same actor until the user leaves the
 * page.
 */
export async function loadLanguageCheck(): Promise<LanguageCheck> {
  await loadTexts("inspection");
  return check.open();
}

export const closeLanguageCheck = check.close;
