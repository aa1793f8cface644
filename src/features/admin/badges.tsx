import { useTranslation } from "react-i18next";
import type { AdminUserRow } from "#contract/index.ts";
import table from "./table.module.css";
import own from "./users.module.css";

/** Plan and role as badges. */
export function Badges({ row: { premium, superuser, confirmed, blocked } }: { row: AdminUserRow }) {
  const { t } = useTranslation("admin");
  return (
    <span className={own.badges}>
      <span className={table.badge} data-tone={premium ? "good" : undefined}>
        {t(premium ? "user.premium" : "user.free")}
      </span>
      {superuser ? (
        <span className={table.badge} data-tone="accent">
          {t("user.superuser")}
        </span>
      ) : null}
      {blocked ? (
        <span className={table.badge} data-tone="danger">
          {t("user.blocked")}
        </span>
      ) : null}
      {confirmed ? null : <span className={table.badge}>{t("user.unconfirmed")}</span>}
    </span>
  );
}
