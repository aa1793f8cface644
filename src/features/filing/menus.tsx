import { useSelector } from "@xstate/react";
import { useMemo, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { exportFormats, type TranscriptionSummary } from "#contract/index.ts";
import { lookOf } from "#machines/exports/rules.ts";
import { type ArchiveOrder, selectIsArchiving } from "#machines/filing/bulk.ts";
import { selectAllTags, selectFolders, selectIsOffered } from "#machines/filing/machine.ts";
import { type Counted, countFiled, type Placing } from "#machines/filing/rules.ts";
import { exportChoice } from "#src/features/exports/choice.ts";
import { ExportDialog } from "#src/features/exports/lazy.ts";
import { Button } from "#src/ui/button.tsx";
import { Icon } from "#src/ui/icon.tsx";
import { Menu } from "#src/ui/menu.tsx";
import type { OpenFiling } from "./actor.ts";
import styles from "./filing.module.css";
import { FilingDialog, Name } from "./folder-list.tsx";
import { Glyph } from "./glyphs.tsx";

interface MenusProps {
  filing: OpenFiling;
  /** All visible rows. */
  rows: readonly TranscriptionSummary[];
  /** The ids of the selected rows. */
  selected: ReadonlySet<string>;
}

/** Actions on the selected rows, if the server has folders and tags. */
export function FilingMenus(props: MenusProps) {
  return useSelector(props.filing.list, selectIsOffered) && props.selected.size > 0 ? <Menus {...props} /> : null;
}

function Menus({ filing, rows, selected }: MenusProps) {
  const chosen = useMemo(() => rows.filter(({ id }) => selected.has(id)), [rows, selected]);
  return (
    <>
      <PlaceMenus filing={filing} rows={chosen} up />
      <ExportMenu filing={filing} ids={() => chosen.map(({ id }) => id)} />
    </>
  );
}

/** The same actions for one row, in its menu. */
export function RowMenus({ filing, item }: { filing: OpenFiling; item: TranscriptionSummary }) {
  const rows = useMemo(() => [item], [item]);
  return useSelector(filing.list, selectIsOffered) ? <PlaceMenus filing={filing} rows={rows} /> : null;
}

interface PlaceMenusProps {
  filing: OpenFiling;
  /** The rows to change. */
  rows: readonly TranscriptionSummary[];
  /** The menus open above their buttons. */
  up?: boolean;
}

/** Marks rows as favorites, moves them into a folder, and adds or removes tags. */
export function PlaceMenus({ filing, rows, up = false }: PlaceMenusProps) {
  const { t } = useTranslation("filing");
  const [making, setMaking] = useState<{ kind: "folder" | "tag"; ids: readonly string[] } | null>(null);
  const counted = useMemo(() => countFiled(rows), [rows]);
  const ids = () => rows.map(({ id }) => id);
  const place = (placing: Placing, which: readonly string[] = ids()) =>
    filing.bulk.send({ type: "placing.requested", ids: which, placing });
  const isFavourite = counted.favourites === counted.rows;
  const menu = { filing, counted, place, up };
  return (
    <>
      <Button aria-pressed={isFavourite} onClick={() => place({ favourite: !isFavourite })}>
        <Glyph name="star" filled={isFavourite} />
        {t("menu.favourite")}
      </Button>
      <MoveMenu {...menu} onNew={() => setMaking({ kind: "folder", ids: ids() })} />
      <TagMenu {...menu} onNew={() => setMaking({ kind: "tag", ids: ids() })} />
      {/* Rendered in a portal: these buttons may be in a menu, which is closed by now together with its content. */}
      {making === null
        ? null
        : createPortal(
            <FilingDialog
              filing={filing}
              making={making.kind}
              onMade={(id) => place(making.kind === "folder" ? { folderId: id } : { addTags: [id] }, making.ids)}
              onClose={() => setMaking(null)}
            />,
            document.body,
          )}
    </>
  );
}

interface PlaceMenuProps {
  filing: OpenFiling;
  counted: Counted;
  place(placing: Placing): void;
  up: boolean;
  onNew(): void;
}

function MoveMenu({ filing, counted, place, up, onNew }: PlaceMenuProps) {
  const { t } = useTranslation("filing");
  const folders = useSelector(filing.list, selectFolders);
  return (
    <Menu label={t("menu.move")} icon="forward" up={up}>
      {folders.map(({ id, name }) => (
        <Button key={id} look="quiet" onClick={() => place({ folderId: id })}>
          {counted.folders.get(id) === counted.rows ? <Icon name="check" /> : <Glyph name="folder" />}
          <Name kind={t("folder")}>{name}</Name>
        </Button>
      ))}
      {counted.folders.get(null) === counted.rows ? null : (
        <Button look="quiet" onClick={() => place({ folderId: null })}>
          {t("menu.out")}
        </Button>
      )}
      <Button look="quiet" icon="plus" onClick={onNew}>
        {t("menu.newFolder")}
      </Button>
    </Menu>
  );
}

/** `aria-pressed` for an attribute that `count` of the selected rows have. */
const pressedOf = (count: number, rows: number) => (count === rows ? true : count > 0 ? "mixed" : false);

function TagMenu({ filing, counted, place, up, onNew }: PlaceMenuProps) {
  const { t } = useTranslation("filing");
  const tags = useSelector(filing.list, selectAllTags);
  return (
    <Menu label={t("menu.tags")} icon="list" up={up}>
      {tags.map(({ id, name, colour }) => {
        const pressed = pressedOf(counted.tags.get(id) ?? 0, counted.rows);
        return (
          <Button
            key={id}
            look="quiet"
            aria-pressed={pressed}
            onClick={() => place(pressed === true ? { removeTags: [id] } : { addTags: [id] })}
          >
            {pressed === false ? null : <Icon name={pressed === true ? "check" : "minus"} />}
            <span className={styles.dot} data-colour={colour} />
            <Name kind={t("tag")}>{name}</Name>
          </Button>
        );
      })}
      <Button look="quiet" icon="plus" onClick={onNew}>
        {t("menu.newTag")}
      </Button>
    </Menu>
  );
}

function ExportMenu({ filing, ids }: { filing: OpenFiling; ids(): readonly string[] }) {
  const { t } = useTranslation(["filing", "app"]);
  const isArchiving = useSelector(filing.bulk, selectIsArchiving);
  const choice = useSyncExternalStore(exportChoice.subscribe, exportChoice.get);
  const [isChoosing, setIsChoosing] = useState(false);
  const archive = (wanted: Omit<ArchiveOrder, "ids">) => filing.bulk.send({ type: "archive.requested", ids: ids(), ...wanted });
  return (
    <>
      <Menu label={t("menu.export")} icon="download" busy={isArchiving} up>
        <p className={`fine ${styles.hint}`}>{t("menu.archive")}</p>
        {exportFormats.map((format) => (
          <Button key={format} look="quiet" onClick={() => archive({ format, look: lookOf(choice, format) })}>
            {t(`app:transcript.formats.${format}`)}
          </Button>
        ))}
        <Button look="quiet" icon="settings" onClick={() => setIsChoosing(true)}>
          {t("app:transcript.exportOptions")}
        </Button>
      </Menu>
      {isChoosing ? <ExportDialog hasTranslation onWanted={archive} onClose={() => setIsChoosing(false)} /> : null}
    </>
  );
}
