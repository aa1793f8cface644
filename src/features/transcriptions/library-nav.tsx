import { Link, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { OpenFiling } from "#src/features/filing/actor.ts";
import { FolderList } from "#src/features/filing/folder-list.tsx";
import { Glyph } from "#src/features/filing/glyphs.tsx";
import { buttonClass } from "#src/ui/button.tsx";
import { Icon } from "#src/ui/icon.tsx";
import styles from "./library.module.css";

const navId = "library";

/**
 * The navigation beside the content: all transcripts, those shared by others, the trash, folders and tags. Without room
 * it is a sheet, closed at first.
 */
export function LibraryNav({ filing }: { filing: OpenFiling }) {
  const { t } = useTranslation("app");
  // Keeps search, filters and order when the user changes the folder. Other pages have none.
  const view = useSearch({ from: "/_signedIn/dashboard", shouldThrow: false });
  return (
    <nav
      id={navId}
      className={`stack gap-4 ${styles.nav}`}
      popover="auto"
      aria-label={t("history.library")}
      onClickCapture={({ target, currentTarget }) => {
        if (target instanceof Element && target.closest("a") !== null) currentTarget.hidePopover();
      }}
    >
      <ul>
        <li>
          <Link
            to="/dashboard"
            search={{ ...view, folder: undefined, tags: undefined, favourites: undefined }}
            preload={false}
            activeOptions={{ exact: true }}
          >
            <Icon name="list" />
            {t("history.all")}
          </Link>
        </li>
        <li>
          <Link to="/shared-with-me">
            <Icon name="share" />
            {t("sharedWithMe.title")}
          </Link>
        </li>
        <li>
          <Link to="/trash">
            <Icon name="trash" />
            {t("trash.title")}
          </Link>
        </li>
      </ul>
      <FolderList filing={filing} view={view} />
    </nav>
  );
}

/** Opens the sheet. */
export function LibraryButton() {
  const { t } = useTranslation("app");
  return (
    <button type="button" popoverTarget={navId} className={`${buttonClass("secondary")} ${styles.navButton}`}>
      <Glyph name="folder" />
      {t("history.library")}
      <Icon name="down" />
    </button>
  );
}
