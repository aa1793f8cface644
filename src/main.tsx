import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/first-sight.css";
import type { AnyRouter } from "@tanstack/react-router";
import { createRoot, hydrateRoot } from "react-dom/client";
import { beginHydration, endHydration, takenOver } from "./browser/first-sight.ts";
import { setPageRouter } from "./browser/page-router.ts";
import { pageTree } from "./features/frame/page-tree.tsx";
import { followSignedInHint } from "./features/session/token-hint.ts";
import { followTheme } from "./features/shell/theme.ts";
import { speaksOnly, startI18n } from "./i18n/index.ts";
import { landingRoutes, wholePage } from "./landing-routes.ts";
import { createPageRouter } from "./router.ts";

followTheme();
followSignedInHint();

const page = document.documentElement;
const root = document.getElementById("root");
if (!root) throw new Error("There is no #root");
const { page: arrived, held } = page.dataset;
/** The HTML that came with the page; undefined: there is none, or it is not for this person (index.html). */
const rendered = arrived === undefined || held !== undefined ? undefined : { path: arrived.split("?")[0], language: page.lang };
if (rendered === undefined) root.replaceChildren();
delete page.dataset.held;

// What can't be loaded is asked for again by the link that needs it.
void takenOver.then(wholePage).catch(() => {});
void start(root);

type Rendered = NonNullable<typeof rendered>;
type WholePage = typeof import("./whole-page.ts");

/** Not awaited above: what it loads needs parts of this script, and would wait for its end. */
async function start(root: HTMLElement) {
  const texts = startI18n();
  // Whoever wants to see machines sees all of them, from the first one on.
  const isAlone = rendered?.path === "/" && !location.search.includes("inspect");
  const whole = isAlone ? undefined : await import("./whole-page.ts");
  const router = createPageRouter(whole === undefined ? landingRoutes() : await whole.beginPage());
  setPageRouter(router);
  await Promise.all([texts, whole?.attendPage(router)]);
  if (rendered === undefined || !(await hydrate(router, root, rendered, whole))) {
    endHydration();
    root.replaceChildren();
    createRoot(root).render(pageTree(router));
  }
}

/**
 * Takes the HTML over once all is there that it was made from.
 * @returns false when it can't be: its texts could not be loaded, or the page or language is decided in another way than in index.html
 */
async function hydrate(router: AnyRouter, root: HTMLElement, { path, language }: Rendered, whole?: WholePage): Promise<boolean> {
  if (!speaksOnly(language)) return false;
  beginHydration(language);
  const loaded = router.load();
  await (whole === undefined ? loaded : Promise.race([loaded, whole.leavesPath(router, path)]));
  if (!speaksOnly(language) || router.state.location.pathname !== path) return false;
  // What could not be loaded says so itself.
  if (router.state.matches.some(({ status }) => status !== "success")) return false;
  // What the router renders on a server: without a boundary around all of it.
  router.ssr = { manifest: undefined };
  hydrateRoot(root, pageTree(router));
  return true;
}
