import { createFileRoute } from "@tanstack/react-router";
import { BlogPage } from "#src/features/blog/blog-page.tsx";
import { blogList } from "#src/features/blog/route.ts";

export const Route = createFileRoute("/_public/blog/")({
  staticData: { titleKey: "titles.blog", html: "asked" },
  ...blogList,
  component: BlogPage,
});
