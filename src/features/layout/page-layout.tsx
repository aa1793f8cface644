import { useRouterState } from "@tanstack/react-router";
import { type JSX, type ReactNode, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { pageRouter } from "#src/browser/page-router.ts";
import styles from "#src/features/shell/skip-link.module.css";
import { ToastHost } from "#src/features/shell/toast-host.tsx";
import { TopBar } from "#src/features/shell/top-bar.tsx";
import { sidebar } from "./sidebar-store.ts";

/**
 * The frame around every page. It stays mounted while a guard runs or a page loads, so that its links keep a press, the
 * pointer and the focus.
 */
export function PageLayout({ children }: { children: ReactNode }): JSX.Element {
  const { t } = useTranslation();
  const Sidebar = useSyncExternalStore(sidebar.subscribe, sidebar.get, sidebar.get);
  // Until the first render, the requested page decides.
  const isSignedInPage = useRouterState({
    select: ({ matches, location }) =>
      (matches[1]?.routeId ?? pageRouter().getMatchedRoutes(location.pathname)[0][1]?.id) === "/_signedIn",
  });
  return (
    <>
      <a className={styles.skip} href="#main">
        {t("nav.skip")}
      </a>
      {/* The bar stays until the sidebar is loaded, so that nothing moves twice. */}
      {isSignedInPage && Sidebar ? <Sidebar /> : <TopBar />}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <ToastHost />
    </>
  );
}
