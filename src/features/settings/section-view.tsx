import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { claimOwedFocus } from "#src/ui/focus.ts";
import { Icon } from "#src/ui/icon.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { SectionName } from "./sections.ts";
import styles from "./settings.module.css";

/** The open section. Its title takes the focus after a navigation. On a phone it has a link back to the list. */
export function SectionView({ name, children }: { name: SectionName; children: ReactNode }) {
  const { t } = useTranslation("settings");
  return (
    <div className={`stack compact gap-4 ${styles.section}`}>
      <header>
        <Link to="/settings" className={`tall ${styles.back}`}>
          <Icon name="arrowBack" />
          {t("title")}
        </Link>
        <h1 ref={claimOwedFocus} tabIndex={-1}>
          {t(`sections.${name}.title`)}
        </h1>
        <p>{t(`sections.${name}.text`)}</p>
      </header>
      {children}
    </div>
  );
}

/** Shown in place of features that this server lacks. */
export function NotOffered({ what }: { what?: "account" }) {
  const { t } = useTranslation("settings");
  return (
    <Notice>
      {what === undefined ? (
        t("notOffered")
      ) : (
        <>
          <strong>{t("app:notOffered.account")}</strong>
          <p>{t("app:notOffered.accountText")}</p>
        </>
      )}
    </Notice>
  );
}
