import { createFileRoute } from "@tanstack/react-router";
import { LanguagesPage } from "#src/features/engines/languages-page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

/** The API's health, and the languages it lists (SPEC.md section 2: "a tester"). */
export const Route = createFileRoute("/_public/debug/languages")({
  staticData: { titleKey: "titles.languageTester" },
  loader: async ({ preload }) => {
    if (preload) return undefined;
    const [{ openLanguageCheck }] = await Promise.all([
      import("#src/features/engines/language-check-actor.ts"),
      loadTexts("inspection"),
    ]);
    return openLanguageCheck();
  },
  onLeave: () => import("#src/features/engines/language-check-actor.ts").then((page) => page.closeLanguageCheck()),
  component: Languages,
});

function Languages() {
  const check = Route.useLoaderData();
  return check === undefined ? null : <LanguagesPage check={check} />;
}
