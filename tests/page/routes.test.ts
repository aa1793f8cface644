import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ownRoutes, signInRoutes, specifiedRoutes } from "#tests/browser/harness-routes.ts";

/** What TanStack Router has made of the files in src/routes: every path that a link can lead to. */
function pagesRoutes(): string[] {
  const tree = readFileSync(new URL("../../src/routeTree.gen.ts", import.meta.url), "utf8");
  const paths = /\n {2}to:\n((?: {4}\| '[^']+'\n)+)/.exec(tree)?.[1] ?? "";
  return [...paths.matchAll(/'([^']+)'/g)].map(([, path = ""]) => path.replaceAll(/\$(\w+)/g, "{$1}"));
}

const specified: string[] = Object.values(specifiedRoutes).flat();

test("the page has the specification's routes, each once, and its own; the browser tests go through all of them", () => {
  const unknownPaths = "/$";
  const all = [...specified, ...Object.values(ownRoutes).flat(), unknownPaths];
  expect(all).toHaveLength(new Set(all).size);
  expect(pagesRoutes().toSorted()).toEqual(all.toSorted());
  expect(specified).toEqual(expect.arrayContaining([...signInRoutes]));
});
