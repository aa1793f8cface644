import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonClass } from "#src/ui/button.tsx";
import { Page } from "#src/ui/page.tsx";

/** A feature that some servers lack. A key of `app:notOffered`; one more sentence has the same name plus `Text`. */
export type Feature = "transcribing" | "translating" | "vault" | "admin" | "account";

/**
 * Replaces a page whose calls the server does not offer (`notOffered` of the contract). Retrying is useless, so it
 * shows a link.
 */
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
