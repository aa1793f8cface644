import { lazyRouteComponent } from "@tanstack/react-router";
import { loadTexts } from "../../i18n/index.ts";
import { blogAdminRoute } from "./route.ts";

const posts = () => import("../../app/posts-admin.ts");
const editor = () => import("../../app/post-editor.ts");

export const postsRoute = blogAdminRoute("titles.blogAdmin", {
  texts: "editor",
  enter: async (asked) => ({ posts: (await posts()).openPosts(asked) }),
  stay: async (asked) => (await posts()).openPosts(asked),
  component: lazyRouteComponent(() => import("./posts-page.tsx"), "PostsPage"),
});

export const editorRoute = blogAdminRoute("titles.blogEditor", {
  texts: "editor",
  // The preview has its own few words.
  enter: async (asked) => (await Promise.all([editor(), loadTexts("blog")]))[0].openEditor(asked),
  stay: async (asked) => (await editor()).openEditor(asked),
  leave: async () => (await editor()).closeEditor(),
  component: lazyRouteComponent(() => import("./editor-page.tsx"), "EditorPage"),
});
