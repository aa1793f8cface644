import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { TranscriptionSummary } from "#contract/index.ts";
import { selectAllTags, selectFolders, selectIsOffered } from "#machines/filing/machine.ts";
import { filedOf } from "#machines/filing/rules.ts";
import type { OpenFiling } from "./actor.ts";
import styles from "./filing.module.css";
import { Name } from "./folder-list.tsx";
import { Glyph } from "./glyphs.tsx";

interface RowPartProps {
  filing: OpenFiling;
  item: TranscriptionSummary;
}

/** The star, the folder and the tags of a row. */
export function RowLabels({ filing, item }: RowPartProps) {
  const offered = useSelector(filing.list, selectIsOffered);
  const { folderId, tagIds, favourite } = filedOf(item);
  return offered && (favourite || folderId !== null || tagIds.length > 0) ? <Labels filing={filing} item={item} /> : null;
}

function Labels({ filing, item }: RowPartProps) {
  const { t } = useTranslation("filing");
  const { folderId, tagIds, favourite } = filedOf(item);
  const folder = useSelector(filing.list, selectFolders).find(({ id }) => id === folderId);
  // Sorted by name, not in the row's order.
  const tags = useSelector(filing.list, selectAllTags).filter(({ id }) => tagIds.includes(id));
  return (
    <>
      {favourite ? (
        <span className={`${styles.label} ${styles.starred}`} title={t("menu.favourite")}>
          <Glyph name="star" filled />
          <span className="visuallyHidden">{t("menu.favourite")}</span>
        </span>
      ) : null}
      {folder === undefined ? null : (
        <span className={styles.label}>
          <Glyph name="folder" />
          <Name kind={t("folder")}>{folder.name}</Name>
        </span>
      )}
      {tags.map(({ id, name, colour }) => (
        <span key={id} className={styles.label}>
          <span className={styles.dot} data-colour={colour} />
          <Name kind={t("tag")}>{name}</Name>
        </span>
      ))}
    </>
  );
}
