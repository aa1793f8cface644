import { Link, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { buttonClass } from "#src/ui/button.tsx";
import { Page } from "#src/ui/page.tsx";
import styles from "./frame.module.css";

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
export function useBlogAdminPlaces() {
  const isAdminFirst = useLocation({ select: ({ pathname }) => pathname.startsWith("/admin/") });
  return places[isAdminFirst ? "/admin/blog" : "/blog/admin"];
}

const entries = [
  { place: "posts", key: "blogAdmin.posts" },
  { place: "editor", key: "blogAdmin.newPost" },
  { place: "generator", key: "blogAdmin.generator" },
  { place: "analytics", key: "blogAdmin.analytics" },
] as const;

interface BlogAdminFrameProps {
  title: string;
  lead?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of the blog administration's pages: heading, sub-navigation, page. */
export function BlogAdminFrame({ children, actions, ...header }: BlogAdminFrameProps) {
  const { t } = useTranslation("app");
  const places = useBlogAdminPlaces();
  // SPEC.md section 2, "Navigation": on /admin pages there is a Dashboard button.
  const back = places.posts === "/admin/blog" && (
    <Link className={buttonClass("secondary")} to="/dashboard">
      {t("nav.dashboard")}
    </Link>
  );
  const both = (actions || back) && (
    <div className={styles.actions}>
      {actions}
      {back}
    </div>
  );
  return (
    <Page {...header} actions={both || undefined}>
      <nav className={styles.nav} aria-label={t("blogAdmin.label")}>
        <ul className={styles.entries}>
          {entries.map(({ place, key }) => (
            <li key={place}>
              <Link
                className={styles.entry}
                to={places[place]}
                // Editing an existing post does not count as "new post".
                activeOptions={{ exact: true, includeSearch: place === "editor" }}
                activeProps={{ "aria-current": "page" }}
              >
                {t(key)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </Page>
  );
}
