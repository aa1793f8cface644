import { Link, useLocation } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon, type IconName } from "#src/ui/icon.tsx";
import { LanguageSelect } from "./language-select.tsx";
import { Mark } from "./mark.tsx";
import styles from "./sidebar.module.css";

const links = [
  { to: "/dashboard", key: "nav.dashboard", icon: "home" },
  { to: "/voice-translator", key: "titles.voiceTranslator", icon: "translate" },
  { to: "/speech-to-text", key: "nav.speechToText", icon: "microphone" },
  { to: "/feedback", key: "titles.feedback", icon: "feedback" },
  { to: "/settings", key: "titles.settings", icon: "settings" },
] as const satisfies readonly { to: string; key: string; icon: IconName }[];

const superuserLinks = [
  { to: "/admin", key: "titles.admin", icon: "shield" },
  { to: "/admin/blog", key: "titles.blogAdmin", icon: "edit" },
] as const satisfies readonly { to: string; key: string; icon: IconName }[];

interface LinksProps {
  isSuperuser: boolean;
  /** The URL of the person's picture, if there is one. */
  picture: string | undefined;
  onSignOut(): void;
}

function Links({ isSuperuser, picture, onSignOut }: LinksProps) {
  const { t } = useTranslation();
  // The blog's administration has two addresses: the link uses, and is active for, the current one.
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isBlogFirst = path.startsWith("/blog/admin");
  return (
    <>
      <ul className={styles.links}>
        {[...links, ...(isSuperuser ? superuserLinks : [])].map(({ to, key, icon }) => (
          <li key={to}>
            <Link
              to={to === "/admin/blog" && isBlogFirst ? "/blog/admin" : to}
              className={styles.link}
              // The blog's administration has an entry of its own below the panel's.
              activeOptions={{ exact: to === "/admin" && path !== "/admin/models", includeSearch: false }}
              activeProps={{ "aria-current": "page" }}
            >
              {to === "/settings" && picture !== undefined ? (
                <img className={styles.face} src={picture} alt="" />
              ) : (
                <Icon name={icon} />
              )}
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

/** Beside the signed-in pages; below 780 px a menu in a bar above them. */
export function Sidebar(links: LinksProps) {
  const { t } = useTranslation();
  const { href } = useLocation();
  // After a link is followed, the sidebar must not stay open until the pointer happens to leave.
  const [folded, setFolded] = useState(false);
  // On a phone, navigating closes the menu; while it is closed its links need not be rendered.
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isOpen = openedAt === href;
  return (
    <>
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
          <Links {...links} />
        </nav>
      </div>
      <header className={styles.mobileBar}>
        <Link to="/" className={styles.home}>
          <Mark />
        </Link>
        <details open={isOpen} onToggle={(event) => setOpenedAt(event.currentTarget.open ? href : null)}>
          <summary aria-label={t("nav.menu")}>
            <Icon name="menu" />
          </summary>
          {isOpen ? (
            <nav className={styles.sheet} aria-label={t("nav.label")}>
              <Links {...links} />
            </nav>
          ) : null}
        </details>
      </header>
    </>
  );
}
