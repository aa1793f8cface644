import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { FolderList } from "#src/features/filing/folder-list.tsx";
import { Glyph } from "#src/features/filing/glyphs.tsx";
import { buttonClass } from "#src/ui/button.tsx";
import { Icon } from "#src/ui/icon.tsx";
import type { OpenTranscriptions } from "./actor.ts";
import styles from "./library.module.css";

const navId = "library";

/**
 * Beside the list: all transcripts, those of others, the trash, folders and tags. On a phone a sheet, closed at
 * first.
 */
export function LibraryNav({ filing, filedFilters }: Pick<OpenTranscriptions, "filing" | "filedFilters">) {
  const { t } = useTranslation("app");
  return (
    <nav
      id={navId}
      className={styles.nav}
      popover="auto"
      aria-label={t("history.library")}
      onClickCapture={({ target, currentTarget }) => {
        if (target instanceof Element && target.closest("a") !== null) currentTarget.hidePopover();
      }}
    >
      <ul className={styles.places}>
        <li>
          <Link
            from="/dashboard"
            to="/dashboard"
            search={({ folder: _folder, tags: _tags, favourites: _favourites, ...others }) => others}
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
      <FolderList filing={filing} filters={filedFilters} />
    </nav>
  );
}

/** Opens the sheet on a phone. */
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
