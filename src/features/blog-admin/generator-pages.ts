import { lazyRouteComponent } from "@tanstack/react-router";
import { loadTexts } from "#src/i18n/index.ts";
import { blogAdminRoute } from "./route.ts";

const generator = () => import("./generator-actor.ts");
// Made once, as both prefixes show the same.
const component = lazyRouteComponent(() => import("./generator-page.tsx"), "GeneratorPage");

/** A route keeps its options and changes them: each prefix has its own. */
export const generatorRoute = () =>
  blogAdminRoute("titles.blogGenerator", {
    texts: "blog-generator",
    enter: async () => {
      // The preview's own words.
      const [{ openGenerator }] = await Promise.all([generator(), loadTexts("blog")]);
      return { generator: openGenerator() };
    },
    leave: async () => (await generator()).leaveGenerator(),
    component,
  });
