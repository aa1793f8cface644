import { useTranslation } from "react-i18next";
import type { AdminUserRow } from "#contract/index.ts";
import { Badge } from "#src/ui/badge.tsx";
import own from "./users.module.css";

/** Plan and role as badges. */
export function Badges({ row: { premium, superuser, confirmed, blocked } }: { row: AdminUserRow }) {
  const { t } = useTranslation("admin");
  return (
    <span className={own.badges}>
      <Badge tone={premium ? "good" : undefined}>{t(premium ? "user.premium" : "user.free")}</Badge>
      {superuser ? <Badge tone="accent">{t("user.superuser")}</Badge> : null}
      {blocked ? <Badge tone="danger">{t("user.blocked")}</Badge> : null}
      {confirmed ? null : <Badge>{t("user.unconfirmed")}</Badge>}
    </span>
  );
}
