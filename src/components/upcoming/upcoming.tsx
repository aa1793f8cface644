import { Link, useMatches } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { hasStoredToken } from "../../app/token-hint.ts";
import { buttonClass } from "../../ui/button.tsx";
import { MessageScreen } from "../../ui/page.tsx";

/** A page of the specification that is not finished: it says so. */
export function Upcoming() {
  const { t } = useTranslation();
  const titleKey = useMatches({ select: (matches) => matches.at(-1)?.staticData.titleKey ?? "" });
  const signedIn = hasStoredToken();
  return (
    <MessageScreen
      title={t(titleKey)}
      text={t("upcoming.text")}
      action={
        <Link className={buttonClass("primary")} to={signedIn ? "/dashboard" : "/"}>
          {t(signedIn ? "nav.dashboard" : "upcoming.home")}
        </Link>
      }
    />
  );
}
