import { Link, Outlet, useMatches } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { parse } from "valibot";
import { useBlogAdminRoutes } from "#src/features/blog-admin/admin-routes.ts";
import { buttonClass } from "#src/ui/button.tsx";
import { Page } from "#src/ui/page.tsx";
import styles from "./admin-layout.module.css";
import { adminSections, SectionName } from "./search.ts";

/** The visible page: the previous one while the next one loads. */
const useShown = () => useMatches({ select: (matches) => matches.at(-1) });

/** The header and tabs of all administration pages. They stay mounted while the page below them changes. */
export function AdminLayout() {
  const { t } = useTranslation("app");
  const { pathname = "", search = {}, staticData } = useShown() ?? {};
  const isBlog = /^\/(blog\/admin|admin\/blog)(\/|$)/.test(pathname);
  const editorTitle = "id" in search ? "blog-admin:editTitle" : "app:blogAdmin.newPost";
  const titleKey = pathname.endsWith("/editor") ? editorTitle : (staticData?.titleKey ?? "titles.admin");
  return (
    <Page
      title={t(titleKey)}
      // SPEC.md section 2, "Navigation": on /admin pages there is a Dashboard button.
      actions={
        pathname.startsWith("/admin") ? (
          <Link className={buttonClass("secondary")} to="/dashboard">
            {t("nav.dashboard")}
          </Link>
        ) : undefined
      }
      tabs={isBlog ? <BlogTabs /> : <PanelTabs />}
    >
      <Outlet />
    </Page>
  );
}

/** A ref that scrolls the current tab to the middle, because a narrow screen does not show all tabs. */
function bringIntoSight(tab: HTMLElement | null): void {
  const list = tab?.closest("ul");
  if (!tab || !list) return;
  const [at, frame] = [tab.getBoundingClientRect(), list.getBoundingClientRect()];
  // Scrolls only the list, not the page.
  list.scrollLeft += at.left + at.width / 2 - (frame.left + frame.width / 2);
}

/** The style and `aria-current` of a tab. The router alone would ignore additional search parameters in the address. */
const tabProps = (isCurrent: boolean) => ({
  className: styles.tab,
  "aria-current": isCurrent ? ("page" as const) : undefined,
  ref: isCurrent ? bringIntoSight : null,
});

function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label}>
      <ul className={styles.tabs}>{children}</ul>
    </nav>
  );
}

/** The models have their own page, beside the sections of the panel. */
const panelTabs = adminSections.flatMap((name) => (name === "overview" ? [name, "models" as const] : [name]));

function PanelTabs() {
  const { t } = useTranslation("admin");
  const { pathname = "", search = {} } = useShown() ?? {};
  const here = pathname.endsWith("/models") ? "models" : parse(SectionName, "section" in search ? search.section : undefined);
  return (
    <Tabs label={t("nav.sections")}>
      {panelTabs.map((name) => (
        <li key={name}>
          {name === "models" ? (
            <Link to="/admin/models" activeOptions={{ exact: true }} {...tabProps(here === name)}>
              {t("sections.models")}
            </Link>
          ) : (
            <Link to="/admin" search={{ section: name }} activeOptions={{ exact: true }} {...tabProps(here === name)}>
              {t(`sections.${name}`)}
            </Link>
          )}
        </li>
      ))}
    </Tabs>
  );
}

const blogTabs = [
  { place: "posts", key: "blogAdmin.posts" },
  { place: "editor", key: "blogAdmin.newPost" },
  { place: "generator", key: "blogAdmin.generator" },
  { place: "analytics", key: "blogAdmin.analytics" },
] as const;

function BlogTabs() {
  const { t } = useTranslation("app");
  const places = useBlogAdminRoutes();
  const { pathname = "", search = {} } = useShown() ?? {};
  // Editing an existing post does not count as "new post".
  const isCurrent = (place: (typeof blogTabs)[number]["place"]) =>
    pathname.replace(/\/$/, "") === places[place] && !(place === "editor" && "id" in search);
  return (
    <Tabs label={t("blogAdmin.label")}>
      {blogTabs.map(({ place, key }) => (
        <li key={place}>
          <Link to={places[place]} activeOptions={{ exact: true }} {...tabProps(isCurrent(place))}>
            {t(key)}
          </Link>
        </li>
      ))}
    </Tabs>
  );
}
