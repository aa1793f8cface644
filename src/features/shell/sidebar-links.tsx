import { Link, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Icon, type IconName } from "#src/ui/icon.tsx";
import { LanguageSelect } from "./language-select.tsx";
import styles from "./sidebar.module.css";
import { entryOf } from "./sidebar-entry.ts";

/** The pages of signed-in users. */
export const links = [
  { to: "/dashboard", key: "nav.dashboard", icon: "home" },
  { to: "/voice-translator", key: "titles.voiceTranslator", icon: "translate" },
  { to: "/speech-to-text", key: "nav.speechToText", icon: "microphone" },
  { to: "/search", key: "titles.search", icon: "search" },
  { to: "/encrypted-audio", key: "titles.encryptedAudio", icon: "safe" },
  { to: "/feedback", key: "titles.feedback", icon: "feedback" },
  { to: "/settings", key: "titles.settings", icon: "settings" },
] as const satisfies readonly { to: string; key: string; icon: IconName }[];

/** Additional pages of superusers. */
export const superuserLinks = [
  { to: "/admin", key: "titles.admin", icon: "shield" },
  { to: "/admin/blog", key: "titles.blogAdmin", icon: "edit" },
] as const satisfies readonly { to: string; key: string; icon: IconName }[];

/** The month's free minutes. */
export interface FreeMinutes {
  /** The formatted number: "7.5". */
  left: string;
  /** The remaining part, from 0 to 1. */
  fraction: number;
  /** Whether few or no minutes are left. */
  isLow: boolean;
}

export interface LinksProps {
  isSuperuser: boolean;
  /** null: unknown, or a plan without a limit. */
  freeMinutes: FreeMinutes | null;
  /** Whether the user's plan does not include encrypted audio. */
  isVaultClosed: boolean;
  account: Account;
  onSignOut(): void;
}

interface Account {
  /** The user's name, or else the email address. Empty until the profile is loaded. */
  name: string;
  /** The URL of the user's picture, if there is one. */
  picture: string | undefined;
}

interface ListedProps extends LinksProps {
  /** Shown above the plan, where there may be room. */
  children?: ReactNode;
}

/** Shared by the sidebar and a phone's menu, in the same order: the pages, the plan, the account. */
export function Links({ isSuperuser, freeMinutes, isVaultClosed, account, onSignOut, children }: ListedProps) {
  const { t } = useTranslation();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const marked = entryOf(path);
  return (
    <>
      <ul className="stack gap-1">
        {[...links, ...(isSuperuser ? superuserLinks : [])].map(({ to, key, icon }) => (
          <li key={to}>
            <Link
              to={to === "/admin/blog" && path.startsWith("/blog/admin") ? "/blog/admin" : to}
              className={styles.link}
              activeOptions={exactly}
              aria-current={to === marked ? "page" : undefined}
            >
              <Icon name={icon} />
              <span className={styles.label}>{t(key)}</span>
              {to === "/encrypted-audio" && isVaultClosed ? <Locked /> : null}
            </Link>
          </li>
        ))}
      </ul>
      {children}
      <div className={`stack gap-2 ${styles.foot}`}>
        <Subscription freeMinutes={freeMinutes} />
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
        <div role="group" className={`stack gap-1 ${styles.account}`} aria-label={t("nav.account")}>
          <p className={`line gap-3 size-1 strong ${styles.person}`}>
            {account.picture === undefined ? <Icon name="user" /> : <img className={styles.face} src={account.picture} alt="" />}
            <span className={styles.label}>{account.name}</span>
          </p>
          <LanguageSelect />
          <button type="button" className={styles.link} onClick={onSignOut}>
            <Icon name="signOut" />
            <span className={styles.label}>{t("nav.signOut")}</span>
          </button>
        </div>
      </div>
    </>
  );
}

/** The router marks only an exact match; `entryOf` marks the entries of pages below it. */
const exactly = { exact: true, includeSearch: false };

/** Marks a page that the free plan lacks. The page's guard explains this and leads to the plans. */
function Locked() {
  const { t } = useTranslation();
  return (
    <span className={styles.lock} role="img" aria-label={t("nav.withPremium")}>
      <Icon name="lock" />
    </span>
  );
}

/**
 * The link to the plans, shown with every plan. On the free plan it contains a ring with the remaining minutes. The
 * collapsed rail shows only the ring.
 */
function Subscription({ freeMinutes }: { freeMinutes: FreeMinutes | null }) {
  const { t } = useTranslation();
  return (
    <Link
      to="/subscription"
      className={`${styles.link} ${freeMinutes === null ? "" : styles.minutes}`}
      activeOptions={exactly}
      data-low={freeMinutes?.isLow || undefined}
    >
      {freeMinutes === null ? (
        <>
          <Icon name="sparkle" />
          <span className={styles.label}>{t("titles.subscription")}</span>
        </>
      ) : (
        <MinutesLeft {...freeMinutes} />
      )}
    </Link>
  );
}

function MinutesLeft({ left, fraction }: FreeMinutes) {
  const { t } = useTranslation();
  return (
    <>
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
    </>
  );
}
