import { Link, useRouterState } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonClass } from "#src/ui/button.tsx";
import { Icon } from "#src/ui/icon.tsx";
import { LanguageSelect } from "./language-select.tsx";
import { Mark } from "./mark.tsx";
import { OfflinePill } from "./offline-pill.tsx";
import styles from "./top-bar.module.css";

function Entries() {
  const { t } = useTranslation();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <>
      {pathname === "/" ? (
        <>
          <a className={styles.link} href="#features">
            {t("nav.features")}
          </a>
          <a className={styles.link} href="#pricing">
            {t("nav.pricing")}
          </a>
        </>
      ) : null}
      <Link className={styles.link} to="/blog">
        {t("titles.blog")}
      </Link>
      <LanguageSelect />
      <span className="forSignedIn">
        <Link className={buttonClass("primary")} to="/dashboard">
          {t("nav.dashboard")}
        </Link>
      </span>
      <span className="forVisitors">
        <Link className={buttonClass("quiet")} to="/signin">
          {t("nav.signIn")}
        </Link>
        <Link className={buttonClass("primary")} to="/signup">
          {t("titles.signUp")}
        </Link>
      </span>
    </>
  );
}

/**
 * The bar of the visitors' pages. Below 780 px its entries are behind a menu button (a disclosure, so that it needs no
 * script).
 */
export function TopBar() {
  const { t } = useTranslation();
  const href = useRouterState({ select: ({ location }) => location.href });
  return (
    <header className={`line apart gap-4 ${styles.bar}`}>
      <Link to="/" className={styles.home}>
        <Mark />
      </Link>
      <OfflinePill meanwhile={t("offline.visitor")} />
      <nav className={`line ${styles.nav}`} aria-label={t("nav.label")}>
        <Entries />
      </nav>
      <details className={styles.menu} key={href}>
        <summary aria-label={t("nav.menu")}>
          <Icon name="menu" />
        </summary>
        <nav className={styles.sheet} aria-label={t("nav.label")}>
          <Entries />
        </nav>
      </details>
    </header>
  );
}
