import { useRouterState } from "@tanstack/react-router";
import { type JSX, type ReactNode, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { pageRouter } from "#src/browser/page-router.ts";
import styles from "#src/features/shell/skip-link.module.css";
import { ToastHost } from "#src/features/shell/toast-host.tsx";
import { TopBar } from "#src/features/shell/top-bar.tsx";
import { sidebar } from "./sidebar-store.ts";

/**
 * What stands around every page, and above everything that the router exchanges: while a guard asks and a page loads, its elements stay,
 * and with them a press, the pointer and the focus on one of its links.
 */
export function PageLayout({ children }: { children: ReactNode }): JSX.Element {
  const { t } = useTranslation();
  const Sidebar = useSyncExternalStore(sidebar.subscribe, sidebar.get, sidebar.get);
  // Until something is drawn, the page that was asked for counts.
  const isSignedInPage = useRouterState({
    select: ({ matches, location }) =>
      (matches[1]?.routeId ?? pageRouter().getMatchedRoutes(location.pathname)[0][1]?.id) === "/_signedIn",
  });
  return (
    <>
      <a className={styles.skip} href="#main">
        {t("nav.skip")}
      </a>
      {/* Until the sidebar is loaded the bar stays: nothing moves twice. */}
      {isSignedInPage && Sidebar ? <Sidebar /> : <TopBar />}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <ToastHost />
    </>
  );
}
