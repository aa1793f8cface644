import { createRootRoute, Outlet } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ErrorScreen } from "#src/features/shell/error-screen.tsx";
import styles from "#src/features/shell/skip-link.module.css";
import { ToastHost } from "#src/features/shell/toast-host.tsx";

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
