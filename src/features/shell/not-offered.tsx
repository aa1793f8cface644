import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonClass } from "#src/ui/button.tsx";
import { Page } from "#src/ui/page.tsx";

/** A feature that another server may lack: a key of `app:notOffered`, with one more sentence under the same name plus `Text`. */
export type Feature = "transcribing" | "translating" | "vault" | "admin" | "account";

/** A page whose calls the server does not offer (`notOffered` of the contract): retrying is useless, so one link is shown. */
export function NotOffered({ feature }: { feature: Feature }) {
  const { t } = useTranslation("app");
  return (
    <Page title={t(`notOffered.${feature}`)} lead={t(`notOffered.${feature}Text`)}>
      <p>
        <Link className={buttonClass("primary")} to="/dashboard">
          {t("nav.dashboard")}
        </Link>
      </p>
    </Page>
  );
}
