import { lazyRouteComponent } from "@tanstack/react-router";
import { loadTexts } from "../../i18n/index.ts";
import { blogAdminRoute } from "../blog-admin/route.ts";

const generator = () => import("../../app/generator.ts");

export const generatorRoute = blogAdminRoute("titles.blogGenerator", {
  texts: "generator",
  enter: async () => {
    // The preview's own words.
    const [{ openGenerator }] = await Promise.all([generator(), loadTexts("blog")]);
    return { generator: openGenerator() };
  },
  leave: async () => (await generator()).leaveGenerator(),
  component: lazyRouteComponent(() => import("./generator-page.tsx"), "GeneratorPage"),
});
