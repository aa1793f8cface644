import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { TranscriptionSummary } from "#contract/index.ts";
import { selectAllTags, selectFolders, selectIsOffered } from "#machines/filing/machine.ts";
import { filedOf } from "#machines/filing/rules.ts";
import { buttonClass } from "#src/ui/button.tsx";
import type { OpenFiling } from "./actor.ts";
import { Name } from "./bar.tsx";
import styles from "./filing.module.css";
import { Glyph } from "./glyphs.tsx";

interface RowPartProps {
  filing: OpenFiling;
  item: TranscriptionSummary;
}

/** The folder and the tags of a row. */
export function RowLabels({ filing, item }: RowPartProps) {
  const offered = useSelector(filing.list, selectIsOffered);
  const { folderId, tagIds } = filedOf(item);
  return offered && (folderId !== null || tagIds.length > 0) ? <Labels filing={filing} item={item} /> : null;
}

function Labels({ filing, item }: RowPartProps) {
  const { t } = useTranslation("filing");
  const { folderId, tagIds } = filedOf(item);
  const folder = useSelector(filing.list, selectFolders).find(({ id }) => id === folderId);
  // In the order of their names, whatever the row's is.
  const tags = useSelector(filing.list, selectAllTags).filter(({ id }) => tagIds.includes(id));
  return (
    <>
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

/** Makes a row a favourite, or no favourite any more. */
export function Star({ filing, item, title }: RowPartProps & { title: string }) {
  return useSelector(filing.list, selectIsOffered) ? <StarButton filing={filing} item={item} title={title} /> : null;
}

function StarButton({ filing, item, title }: RowPartProps & { title: string }) {
  const { t } = useTranslation("filing");
  const { favourite } = filedOf(item);
  const label = t("star", { title });
  return (
    <button
      type="button"
      className={`${buttonClass("quiet", true)} ${favourite ? styles.starred : ""}`}
      aria-pressed={favourite}
      aria-label={label}
      title={label}
      onClick={() => filing.bulk.send({ type: "placing.requested", ids: [item.id], placing: { favourite: !favourite } })}
    >
      <Glyph name="star" filled={favourite} />
    </button>
  );
}
