// React, TanStack Router and i18next, each asked for what the landing page asks of it, and nothing else: what no page that is made of them can be
// smaller than (page-weight.ts).
import { createRootRoute, createRoute, createRouter, Link, RouterProvider } from "@tanstack/react-router";
import i18next from "i18next";
import { createElement, useSyncExternalStore } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";

const follow = (listener: () => void) => {
  i18next.on("languageChanged", listener);
  return () => i18next.off("languageChanged", listener);
};
const languageNow = () => i18next.language;

function Landing() {
  useSyncExternalStore(follow, languageNow, languageNow);
  return createElement(Link, { to: "/" }, i18next.t("title"));
}

const rootRoute = createRootRoute();
const landingRoute = createRoute({ getParentRoute: () => rootRoute, path: "/", component: Landing });
const router = createRouter({ routeTree: rootRoute.addChildren([landingRoute]), scrollRestoration: true });
const page = createElement(RouterProvider, { router });

await i18next.init({ lng: "en", resources: { en: { translation: { title: "Parlance" } } } });
await router.load();
const root = document.createElement("div");
if (root.hasChildNodes()) hydrateRoot(root, page);
else createRoot(root).render(page);
