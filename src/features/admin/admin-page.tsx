import { getRouteApi, Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonClass } from "#src/ui/button.tsx";
import { Page } from "#src/ui/page.tsx";
import { AdminNav } from "./admin-nav.tsx";

const route = getRouteApi("/_signedIn/_admin/admin/");

/** The admin panel: navigation between its sections, and the open one. */
export function AdminPage() {
  const { t } = useTranslation("admin");
  const { name, body } = route.useLoaderData();
  const section = route.useSearch({ select: (search) => search.section });
  return (
    <Page
      title={t("titles.admin")}
      actions={
        <Link className={buttonClass("secondary")} to="/dashboard">
          {t("nav.dashboard")}
        </Link>
      }
    >
      <AdminNav here={name} section={section} />
      {body}
    </Page>
  );
}
