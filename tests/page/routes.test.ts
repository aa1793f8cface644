import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ownRoutes, signInRoutes, specifiedRoutes } from "#tests/browser/harness-routes.ts";

/** Every path that a link can lead to, as TanStack Router generated them from src/routes. */
function pagesRoutes(): string[] {
  const tree = readFileSync(new URL("../../src/routeTree.gen.ts", import.meta.url), "utf8");
  const paths = /\n {2}to:\n((?: {4}\| '[^']+'\n)+)/.exec(tree)?.[1] ?? "";
  return [...paths.matchAll(/'([^']+)'/g)].map(([, path = ""]) => path.replaceAll(/\$(\w+)/g, "{$1}"));
}

const specified: string[] = Object.values(specifiedRoutes).flat();

// SPEC 2 Public routes: "/signin, /signup"
// SPEC 2 Routes that need sign-in: "/settings, /subscription, /feedback, /dashboard"
// SPEC 2 Routes that need sign-in and a subscription: "/voice-translator, /speech-to-text, /encrypted-audio"
// SPEC 2 Admin-only routes: "and the same four under /admin/blog"
test("has each of the specification's routes once, plus its own, all visited by browser tests", () => {
  const unknownPaths = "/$";
  const all = [...specified, ...Object.values(ownRoutes).flat(), unknownPaths];
  expect(all).toHaveLength(new Set(all).size);
  expect(pagesRoutes().toSorted()).toEqual(all.toSorted());
  expect(specified).toEqual(expect.arrayContaining([...signInRoutes]));
});
