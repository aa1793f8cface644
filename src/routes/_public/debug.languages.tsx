import { createFileRoute } from "@tanstack/react-router";
import { LanguagesPage } from "#src/features/debug/languages-page.tsx";

/** The API's health, and the languages it lists (SPEC.md section 2: "a tester"). */
export const Route = createFileRoute("/_public/debug/languages")({
  staticData: { titleKey: "titles.languageTester" },
  preload: false,
  loader: () => import("#src/features/debug/language-check-actor.ts").then((page) => page.loadLanguageCheck()),
  onLeave: () => import("#src/features/debug/language-check-actor.ts").then((page) => page.closeLanguageCheck()),
  component: () => <LanguagesPage check={Route.useLoaderData()} />,
});
