import { createRootRoute, Outlet } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ErrorScreen } from "../components/shell/error-screen.tsx";
import styles from "../components/shell/skip-link.module.css";
import { ToastHost } from "../components/shell/toast-host.tsx";

export const Route = createRootRoute({
  component: Root,
  errorComponent: ErrorScreen,
});

function Root() {
  const { t } = useTranslation();
  return (
    <>
      <a className={styles.skip} href="#main">
        {t("nav.skip")}
      </a>
      <Outlet />
      <ToastHost />
    </>
  );
}
