import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectIsPremium } from "#machines/subscription/machine.ts";
import { openSubscription } from "#src/features/subscription/actor.ts";
import { buttonClass } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";

/** Whether the user may add or change recordings. The pages' guard has already loaded the subscription. */
export function useCanAdd(): boolean {
  return useSelector(openSubscription(), selectIsPremium);
}

/**
 * Replaces the controls that add recordings if there is no subscription. Says what is still possible, and links to the
 * subscription.
 */
export function Closed() {
  const { t } = useTranslation("vault");
  return (
    <Notice
      icon="shield"
      announce={false}
      actions={
        <Link className={buttonClass("primary")} to="/subscription">
          {t("app:usage.upgrade")}
        </Link>
      }
    >
      {t("closed")}
    </Notice>
  );
}
