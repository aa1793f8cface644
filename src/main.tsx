import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/classes.css";
import "./ui/server-rendered.css";
import { createRoot, hydrateRoot } from "react-dom/client";
import type { PageRouter } from "./browser/page-router.ts";
import { beginHydration, endHydration } from "./browser/server-rendered.ts";
import { pageTree } from "./features/layout/page-tree.tsx";
import { speaksOnly } from "./i18n/index.ts";
import { startPage } from "./start.ts";

const element = document.getElementById("root");
if (!element) throw new Error("There is no #root");
// Not awaited: the scripts that it loads import parts of this module, and would wait for its end.
void show(element);

async function show(root: HTMLElement): Promise<void> {
  const { dataset, lang } = document.documentElement;
  // index.html hides HTML that does not fit this visitor.
  const isRendered = dataset.page !== undefined && dataset.held === undefined;
  if (!isRendered) root.replaceChildren();
  delete dataset.held;
  const router = await startPage();
  if (isRendered && (await canHydrate(router, lang))) {
    hydrateRoot(root, pageTree(router));
    return;
  }
  endHydration();
  root.replaceChildren();
  createRoot(root).render(pageTree(router));
}

/**
 * Loads the page that the HTML shows, with the same data.
 * @param language of the HTML
 * @returns false when the HTML can't be hydrated: its texts could not be loaded, or its address redirects
 */
async function canHydrate(router: PageRouter, language: string): Promise<boolean> {
  if (!speaksOnly(language)) return false;
  beginHydration();
  const { pathname } = router.latestLocation;
  await router.load();
  const { location, matches } = router.state;
  // A part that could not be loaded shows its own error.
  if (!speaksOnly(language) || location.pathname !== pathname || matches.some(({ status }) => status !== "success")) return false;
  // Does what the router's own `hydrate` does. That one reads the loaders' results from scripts in the HTML. Ours
  // return actors, and the page's policy allows only one such script, by its hash.
  router.ssr = { manifest: undefined };
  return true;
}
