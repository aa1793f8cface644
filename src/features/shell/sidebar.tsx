import { Link, useLocation } from "@tanstack/react-router";
import { useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { storage } from "#src/browser/storage.ts";
import { Icon } from "#src/ui/icon.tsx";
import { Mark } from "./mark.tsx";
import { OfflinePill } from "./offline-pill.tsx";
import styles from "./sidebar.module.css";
import { Links, type LinksProps } from "./sidebar-links.tsx";

const linkAt = (target: EventTarget) => (target instanceof Element ? target.closest("a") : null);

/** The sidebar of signed-in pages. Below 780 px it is a menu in a bar above them. */
export function Sidebar(links: LinksProps) {
  return (
    <>
      <Rail {...links} />
      <MobileBar {...links} />
    </>
  );
}

/** Collapsed although it has the pointer or the focus. `at`: the link under the pointer at that moment. */
type Folded = { at: Element | null } | null;

/**
 * Makes Escape collapse an open rail, even when only the pointer is in it. Other listeners don't receive that Escape.
 * @returns the ref of the rail's `nav`
 */
function foldOnEscape(fold: (folded: Folded) => void) {
  return (nav: HTMLElement | null) => {
    if (nav === null) return undefined;
    const stop = new AbortController();
    const hear = (event: KeyboardEvent) => {
      const isOverPage = nav.offsetWidth > (nav.parentElement?.offsetWidth ?? 0);
      if (event.key !== "Escape" || !isOverPage) return;
      event.preventDefault();
      fold({ at: nav.querySelector("a:hover") });
    };
    document.addEventListener("keydown", hear, { capture: true, signal: stop.signal });
    return () => stop.abort();
  };
}

function Rail(links: LinksProps) {
  const { t } = useTranslation();
  const isPinned = useSyncExternalStore(sidebarPin.subscribe, sidebarPin.get);
  // After the user follows a link, the sidebar must not stay open until the pointer leaves. It opens again at another
  // link.
  const [folded, setFolded] = useState<Folded>(null);
  const [listenForEscape] = useState(() => foldOnEscape(setFolded));
  const togglePin = () => {
    sidebarPin.set(!isPinned);
    setFolded(isPinned ? { at: null } : null);
  };
  return (
    <div className={styles.rail} data-pinned={isPinned || undefined}>
      <nav
        ref={listenForEscape}
        className={styles.sidebar}
        aria-label={t("nav.label")}
        data-folded={folded !== null || undefined}
        onFocus={() => setFolded(null)}
        onPointerUp={(event) => {
          const at = linkAt(event.target);
          if (at !== null) setFolded({ at });
        }}
        onPointerOver={(event) => {
          const at = linkAt(event.target);
          if (at !== null) setFolded((last) => (last?.at === at ? last : null));
        }}
        onPointerLeave={() => setFolded(null)}
      >
        <div className="stack gap-1">
          <Link to="/" className={styles.home}>
            <Mark nameHidden />
          </Link>
          <button type="button" className={`${styles.link} ${styles.pin}`} onClick={togglePin}>
            <Icon name="panel" />
            <span className={styles.label}>{t(isPinned ? "nav.fold" : "nav.keepOpen")}</span>
          </button>
        </div>
        <Links {...links}>
          <OfflinePill meanwhile={t("offline.person")} />
        </Links>
      </nav>
    </div>
  );
}

function MobileBar(links: LinksProps) {
  const { t } = useTranslation();
  const { href } = useLocation();
  // Navigating closes the menu. While it is closed, its links are not rendered.
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isOpen = openedAt === href;
  return (
    <header className={styles.mobileBar}>
      <Link to="/" className={styles.home}>
        <Mark />
      </Link>
      <OfflinePill meanwhile={t("offline.person")} />
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
  );
}

const pinKey = "sidebar";

/** Whether the sidebar stays open beside the page, between 780 px and 1750 px. Stored in this browser. */
const sidebarPin = {
  get: (): boolean => storage.read(pinKey) === "pinned",
  set(isPinned: boolean): void {
    if (isPinned) storage.write(pinKey, "pinned");
    else storage.remove(pinKey);
  },
  subscribe: (listener: () => void) => storage.subscribe(pinKey, listener),
};
