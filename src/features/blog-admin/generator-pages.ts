import { lazyRouteComponent } from "@tanstack/react-router";
import { loadTexts } from "#src/i18n/index.ts";
import { blogAdminRoute } from "./route.ts";

const generator = () => import("./generator-actor.ts");
// Created once: both prefixes show the same.
const component = lazyRouteComponent(() => import("./generator-page.tsx"), "GeneratorPage");

/** The router mutates a route's options: each prefix has its own. */
export const generatorRoute = () =>
  blogAdminRoute("titles.blogGenerator", {
    texts: "blog-admin-generator",
    enter: async () => {
      // Texts of the preview.
      const [{ openGenerator }] = await Promise.all([generator(), loadTexts("blog")]);
      return { generator: await openGenerator() };
    },
    leave: async () => (await generator()).leaveGenerator(),
    component,
  });
