import { Link, useLocation } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { LanguageSelect } from "./language-select.tsx";
import { Mark } from "./mark.tsx";
import styles from "./sidebar.module.css";

const links = [
  { to: "/dashboard", key: "nav.dashboard", icon: "home" },
  { to: "/speech-to-text", key: "nav.speechToText", icon: "speech" },
] as const satisfies readonly { to: string; key: string; icon: IconName }[];

function Links({ onSignOut }: { onSignOut(): void }) {
  const { t } = useTranslation();
  return (
    <>
      <ul className={styles.links}>
        {links.map(({ to, key, icon }) => (
          <li key={to}>
            <Link to={to} className={styles.link} activeProps={{ "aria-current": "page" }}>
              <Icon name={icon} />
              <span className={styles.label}>{t(key)}</span>
            </Link>
          </li>
        ))}
      </ul>
      <div className={styles.foot}>
        <LanguageSelect />
        <button type="button" className={styles.link} onClick={onSignOut}>
          <Icon name="signOut" />
          <span className={styles.label}>{t("nav.signOut")}</span>
        </button>
      </div>
    </>
  );
}

/** The frame of the signed-in pages: the sidebar (a menu in a bar below 780 px) beside the page. */
export function SidebarFrame({ onSignOut, children }: { onSignOut(): void; children: ReactNode }) {
  const { t } = useTranslation();
  const { href } = useLocation();
  // Where a link has led somewhere, the sidebar must not stay open over it until the pointer happens to leave.
  const [folded, setFolded] = useState(false);
  return (
    <div className={styles.frame}>
      <div className={styles.rail}>
        <nav
          className={styles.sidebar}
          aria-label={t("nav.label")}
          data-folded={folded || undefined}
          onPointerUp={(event) => setFolded(event.target instanceof Element && event.target.closest("a") !== null)}
          onPointerLeave={() => setFolded(false)}
        >
          <Link to="/" className={styles.home}>
            <Mark nameHidden />
          </Link>
          <Links onSignOut={onSignOut} />
        </nav>
      </div>
      <header className={styles.mobileBar}>
        <Link to="/" className={styles.home}>
          <Mark />
        </Link>
        <details key={href}>
          <summary aria-label={t("nav.menu")}>
            <Icon name="menu" />
          </summary>
          <nav className={styles.sheet} aria-label={t("nav.label")}>
            <Links onSignOut={onSignOut} />
          </nav>
        </details>
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
