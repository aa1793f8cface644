import { getRouteApi, Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import nav from "#src/features/blog-admin/frame.module.css";
import { buttonClass } from "#src/ui/button.tsx";
import { Page } from "#src/ui/page.tsx";
import { adminSections } from "./search.ts";

const route = getRouteApi("/_signedIn/_admin/admin/");

/** The admin panel: navigation between its sections, and the open one. */
export function AdminPage() {
  const { t } = useTranslation("admin");
  const { name, body } = route.useLoaderData();
  const here = route.useSearch({ select: ({ section }) => section });
  // The open section's link has the same search parameters as the address, so that it counts as the current one.
  const searchOf = (section: string): Record<string, string | number> =>
    section !== name ? { section } : here === undefined ? {} : { section: here };
  return (
    <Page
      title={t("titles.admin")}
      actions={
        <Link className={buttonClass("secondary")} to="/dashboard">
          {t("nav.dashboard")}
        </Link>
      }
    >
      <nav aria-label={t("nav.sections")} className={nav.nav}>
        <ul className={nav.entries}>
          {adminSections.map((section) => (
            <li key={section}>
              <Link className={nav.entry} to="/admin" search={searchOf(section)}>
                {t(`sections.${section}`)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {body}
    </Page>
  );
}
