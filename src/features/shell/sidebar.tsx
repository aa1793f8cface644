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
  { to: "/search", key: "titles.search", icon: "search" },
  { to: "/encrypted-audio", key: "titles.encryptedAudio", icon: "safe" },
  { to: "/feedback", key: "titles.feedback", icon: "feedback" },
  { to: "/settings", key: "titles.settings", icon: "settings" },
] as const satisfies readonly { to: string; key: string; icon: IconName }[];

const superuserLinks = [
  { to: "/admin", key: "titles.admin", icon: "shield" },
  { to: "/admin/blog", key: "titles.blogAdmin", icon: "edit" },
] as const satisfies readonly { to: string; key: string; icon: IconName }[];

/** The month's minutes of the free plan. */
export interface FreeMinutes {
  /** Written out: "7.5". */
  left: string;
  /** From 0 to 1. */
  fraction: number;
  /** Few are left, or none. */
  isLow: boolean;
}

interface LinksProps {
  isSuperuser: boolean;
  /** null: unknown, or a plan without a limit. */
  freeMinutes: FreeMinutes | null;
  /** Encrypted audio is not for this person. */
  isVaultClosed: boolean;
  /** The URL of the person's picture, if there is one. */
  picture: string | undefined;
  onSignOut(): void;
}

function Links({ isSuperuser, freeMinutes, isVaultClosed, picture, onSignOut }: LinksProps) {
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
              {to === "/encrypted-audio" && isVaultClosed ? <Locked /> : null}
            </Link>
          </li>
        ))}
      </ul>
      <div className={styles.foot}>
        {freeMinutes === null ? null : <MinutesLeft {...freeMinutes} />}
        <LanguageSelect />
        <button type="button" className={styles.link} onClick={onSignOut}>
          <Icon name="signOut" />
          <span className={styles.label}>{t("nav.signOut")}</span>
        </button>
      </div>
    </>
  );
}

/** A page that the free plan does not have; its guard says so, and leads to the plans. */
function Locked() {
  const { t } = useTranslation();
  return (
    <span className={styles.lock} role="img" aria-label={t("nav.withPremium")}>
      <Icon name="lock" />
    </span>
  );
}

/** A ring with the number in it, which is all of it that the rail shows. Leads to the plans. */
function MinutesLeft({ left, fraction, isLow }: FreeMinutes) {
  const { t } = useTranslation();
  return (
    <Link to="/subscription" className={`${styles.link} ${styles.minutes}`} data-low={isLow || undefined}>
      <span className={styles.ring}>
        <svg viewBox="0 0 36 36" aria-hidden="true" focusable="false">
          <circle cx="18" cy="18" r="16.5" />
          <circle cx="18" cy="18" r="16.5" pathLength="1" strokeDasharray={`${fraction} 1`} />
        </svg>
        {left}
      </span>{" "}
      <span className={styles.label}>
        {t("nav.minutesLeft")} <small>{t("nav.upgrade")}</small>
      </span>
    </Link>
  );
}

const linkAt = (target: EventTarget) => (target instanceof Element ? target.closest("a") : null);

/** Beside the signed-in pages; below 780 px a menu in a bar above them. */
export function Sidebar(links: LinksProps) {
  const { t } = useTranslation();
  const { href } = useLocation();
  // After a link is followed, the sidebar must not stay open until the pointer happens to leave; at another one it has its labels again.
  const [followed, setFollowed] = useState<Element | null>(null);
  // On a phone, navigating closes the menu; while it is closed its links need not be rendered.
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isOpen = openedAt === href;
  return (
    <>
      <div className={styles.rail}>
        <nav
          className={styles.sidebar}
          aria-label={t("nav.label")}
          data-folded={followed !== null || undefined}
          onPointerUp={(event) => setFollowed(linkAt(event.target))}
          onPointerOver={(event) => setFollowed((last) => (last === linkAt(event.target) ? last : null))}
          onPointerLeave={() => setFollowed(null)}
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
