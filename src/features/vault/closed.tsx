import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectIsPremium } from "#machines/subscription/machine.ts";
import { openSubscription } from "#src/features/subscription/actor.ts";
import { buttonClass } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";

/** Whether anything can be added or changed here: the guard of these pages knows the subscription before they are shown. */
export function useCanAdd(): boolean {
  return useSelector(openSubscription(), selectIsPremium);
}

/** Without a subscription, in the place of what adds: what can be done all the same, and the way to the subscription. */
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
