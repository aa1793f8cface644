import { useLocation } from "@tanstack/react-router";

const placesUnder = <Prefix extends string>(posts: Prefix) =>
  ({
    posts,
    editor: `${posts}/editor`,
    generator: `${posts}/generator`,
    analytics: `${posts}/analytics`,
  }) as const;

/** SPEC.md section 2: the same pages under both prefixes. Links keep the current prefix. */
const [blogFirst, adminFirst] = [placesUnder("/blog/admin"), placesUnder("/admin/blog")];

const placesAt = (pathname: string) => (pathname.startsWith("/admin/") ? adminFirst : blogFirst);

/** Addresses of the blog administration's pages under the current prefix. */
export const useBlogAdminRoutes = () => placesAt(useLocation({ select: ({ pathname }) => pathname }));

/** The same addresses, for use outside of a component. */
export const blogAdminRoutes = () => placesAt(location.pathname);

/** Whether a page is shown, under either prefix. */
export const isBlogAdminShown = (page: "editor" | "generator"): boolean =>
  location.pathname.replace(/\/$/, "") === blogAdminRoutes()[page];
