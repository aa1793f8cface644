import { lazyRouteComponent } from "@tanstack/react-router";
import { loadTexts } from "#src/i18n/index.ts";
import { type Asked, blogAdminRoute } from "./route.ts";

const posts = () => import("./posts-actor.ts");
const editor = () => import("./post-editor-actor.ts");
const schedule = () => import("#src/features/scheduled-posting/actor.ts");
// One chunk per page for both prefixes.
const postsPage = lazyRouteComponent(() => import("./posts-page.tsx"), "PostsPage");
const editorPage = lazyRouteComponent(() => import("./editor-page.tsx"), "EditorPage");

const openPosts = async (asked: Asked) => ({ posts: (await posts()).openPosts(asked) });
/** Opens the list of posts, with the scheduled-posting panel below it. */
const enterPosts = async (asked: Asked) => {
  const [opened, { refreshPosts }, { enterSchedule }] = await Promise.all([openPosts(asked), posts(), schedule()]);
  await enterSchedule(refreshPosts);
  return opened;
};
const openEditor = async (asked: Asked) => (await editor()).openEditor(asked);

/** The list of all posts. The router mutates the options, so each route gets its own. */
export const postsRoute = () =>
  blogAdminRoute("titles.blogAdmin", {
    texts: "blog-admin",
    enter: enterPosts,
    stay: openPosts,
    leave: async () => (await schedule()).leaveSchedule(),
    component: postsPage,
  });

/** The editor. Also loads the texts of the blog, which its preview needs. */
export const editorRoute = () =>
  blogAdminRoute("titles.blogEditor", {
    texts: "blog-admin",
    enter: async (asked) => void (await Promise.all([openEditor(asked), loadTexts("blog")])),
    stay: openEditor,
    leave: async () => (await editor()).closeEditor(),
    component: editorPage,
  });

const generator = () => import("./generator-actor.ts");
// Created once, because both prefixes show the same component.
const component = lazyRouteComponent(() => import("./generator-page.tsx"), "GeneratorPage");

/** The generator. The router mutates the options, so each prefix gets its own. */
export const generatorRoute = () =>
  blogAdminRoute("titles.blogGenerator", {
    texts: "blog-admin-generator",
    enter: async () => {
      // The preview needs the texts of the blog.
      const [{ openGenerator }] = await Promise.all([generator(), loadTexts("blog")]);
      return { generator: await openGenerator() };
    },
    leave: async () => (await generator()).leaveGenerator(),
    component,
  });
