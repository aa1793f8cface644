import { useLocation } from "@tanstack/react-router";

/** SPEC.md section 2: the same pages under both prefixes. Links keep the current prefix. */
const places = {
  "/blog/admin": {
    posts: "/blog/admin",
    editor: "/blog/admin/editor",
    generator: "/blog/admin/generator",
    analytics: "/blog/admin/analytics",
  },
  "/admin/blog": {
    posts: "/admin/blog",
    editor: "/admin/blog/editor",
    generator: "/admin/blog/generator",
    analytics: "/admin/blog/analytics",
  },
} as const;

/** Addresses of the blog administration's pages, under the current prefix. */
export function useBlogAdminRoutes() {
  const isAdminFirst = useLocation({ select: ({ pathname }) => pathname.startsWith("/admin/") });
  return places[isAdminFirst ? "/admin/blog" : "/blog/admin"];
}
