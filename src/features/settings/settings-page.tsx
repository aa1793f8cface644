import { Link, Navigate, Outlet, useChildMatches } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { claimOwedFocus } from "#src/ui/focus.ts";
import { Icon } from "#src/ui/icon.tsx";
import { hasColumn, sections } from "./sections.ts";
import styles from "./settings.module.css";

/** The list of sections beside the open one. A phone shows either the list or a section. */
export function SettingsPage() {
  const { t } = useTranslation("settings");
  const isList = useChildMatches({ select: ([section]) => section?.routeId === "/_signedIn/settings/" });
  return (
    <div className={`${styles.page} ${isList ? "" : styles.hasSection}`}>
      <nav className={styles.column} aria-label={t("title")}>
        {isList ? (
          <h1 ref={claimOwedFocus} tabIndex={-1}>
            {t("title")}
          </h1>
        ) : (
          <p className={`soft size-3 reading ${styles.name}`}>{t("title")}</p>
        )}
        <ul>
          {sections.map(({ name, icon }) => (
            <li key={name}>
              <Link to={`/settings/${name}`} activeProps={{ "aria-current": "page" }}>
                <Icon name={icon} />
                {t(`sections.${name}.title`)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Outlet />
    </div>
  );
}

/** Where a phone shows only the list. If the window becomes wide, redirects to a section. */
export function NoSection() {
  const isWide = useSyncExternalStore(followWidth, () => matchMedia(hasColumn).matches);
  return isWide ? <Navigate to="/settings/account" replace /> : null;
}

function followWidth(listener: () => void): () => void {
  const query = matchMedia(hasColumn);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}
