import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonClass } from "#src/ui/button.tsx";
import { Page } from "#src/ui/page.tsx";

/** What another server may not have: a key of `app:notOffered`, with a sentence more under the same name and `Text`. */
export type Feature = "transcribing" | "translating" | "vault" | "admin" | "account";

/** A page whose calls the server does not know (`notOffered` of the contract): nothing can be tried again, so one way on is shown. */
export function NotOffered({ feature }: { feature: Feature }) {
  const { t } = useTranslation("app");
  return (
    <Page title={t(`notOffered.${feature}`)} lead={t(`notOffered.${feature}Text`)}>
      <p>
        <Link className={buttonClass("primary")} to="/dashboard">
          {t("transcript.back")}
        </Link>
      </p>
    </Page>
  );
}
