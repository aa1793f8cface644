import { createFileRoute } from "@tanstack/react-router";
import { PostPage } from "#src/features/blog/post-page.tsx";
import { blogPost } from "#src/features/blog/route.ts";

export const Route = createFileRoute("/_public/blog/$slug")({
  staticData: { titleKey: "titles.blogPost", html: "asked" },
  ...blogPost,
  component: PostPage,
});
