import { type AnyRoute, createRoute, redirect } from "@tanstack/react-router";
import { pageRouter } from "./browser/page-router.ts";
import { Route as rootRoute } from "./routes/__root.tsx";
import { Route as landingRoute } from "./routes/_public/index.tsx";
import { Route as publicRoute } from "./routes/_public/route.tsx";

// Whoever opens the landing page has its route alone at first. All others, with what they need (src/whole-page.ts), come once the page can be
// used, or as soon as one of them is wanted.

/** The landing page's route, and one that stands for all others until they are there. */
export function landingRoutes(): AnyRoute {
  // As routeTree.gen.ts has them: Vite's plugin writes the places of routes into no other file.
  Object.assign(publicRoute.options, { id: "/_public", getParentRoute: () => rootRoute });
  Object.assign(landingRoute.options, { id: "/", path: "/", getParentRoute: () => publicRoute });
  const anyOther = createRoute({
    getParentRoute: () => rootRoute,
    path: "$",
    beforeLoad: async ({ location }) => {
      await wholePage();
      throw redirect({ href: location.href, replace: true });
    },
  });
  return rootRoute.addChildren([publicRoute.addChildren([landingRoute]), anyOther]);
}

let completed: Promise<void> | undefined;

/** Completes the page, once. @throws when the rest of it can't be loaded: the next call tries again */
export function wholePage(): Promise<void> {
  completed ??= import("./whole-page.ts").then((whole) => whole.completePage(pageRouter()));
  completed.catch(() => {
    completed = undefined;
  });
  return completed;
}
