import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { selectAllTags, selectFolders, selectIsOffered } from "#machines/filing/machine.ts";
import type { Placing } from "#machines/filing/rules.ts";
import type { LibraryView } from "#machines/transcriptions/view.ts";
import { IconButton } from "#src/ui/button.tsx";
import { lazyPart } from "#src/ui/lazy-part.tsx";
import type { OpenFiling } from "./actor.ts";
import { droppedRows, hasRows } from "./drag.ts";
import styles from "./filing.module.css";
import { Glyph } from "./glyphs.tsx";

export const FilingDialog = lazyPart(async () => (await import("./filing-dialog.tsx")).FilingDialog);

/** The visible part of the library, as in the address. */
type View = Omit<LibraryView, "tags"> & { tags: string[] };

interface FolderListProps {
  filing: OpenFiling;
  /** The visible part of the library; undefined: another page is open. */
  view: View | undefined;
}

/**
 * The list of favorites, folders and tags, if the server has them. Each is a link to its transcripts and accepts
 * dropped rows.
 */
export function FolderList(props: FolderListProps) {
  return useSelector(props.filing.list, selectIsOffered) ? <List {...props} /> : null;
}

function List({ filing, view }: FolderListProps) {
  const { t } = useTranslation("filing");
  const folders = useSelector(filing.list, selectFolders);
  const tags = useSelector(filing.list, selectAllTags);
  const chosen = view?.tags ?? [];
  const [isEditing, setIsEditing] = useState(false);
  const placing = (where: Placing) => (ids: readonly string[]) =>
    filing.bulk.send({ type: "placing.requested", ids, placing: where });
  return (
    <section className="stack gap-1" aria-label={t("label")}>
      <div className={`line apart gap-2 ${styles.head}`}>
        <h2 className="label">{t("label")}</h2>
        <IconButton icon="edit" label={t("edit")} onClick={() => setIsEditing(true)} />
      </div>
      <ul>
        <Entry view={view} change={{ favourites: true }} onRows={placing({ favourite: true })}>
          <Glyph name="star" />
          {t("favourites")}
        </Entry>
        {folders.map(({ id, name }) => (
          <Entry key={id} view={view} change={{ folder: id }} onRows={placing({ folderId: id })}>
            <Glyph name="folder" />
            <Name kind={t("folder")}>{name}</Name>
          </Entry>
        ))}
        {folders.length > 0 ? (
          <Entry view={view} change={{ folder: "none" }} onRows={placing({ folderId: null })}>
            <Glyph name="folder" />
            {t("noFolder")}
          </Entry>
        ) : null}
        {tags.map(({ id, name, colour }) => (
          <Entry
            key={id}
            isChosen={chosen.includes(id)}
            view={view}
            change={{ tags: chosen.includes(id) ? chosen.filter((tag) => tag !== id) : [...chosen, id] }}
            onRows={placing({ addTags: [id] })}
          >
            <span className={styles.dot} data-colour={colour} />
            <Name kind={t("tag")}>{name}</Name>
          </Entry>
        ))}
      </ul>
      {isEditing ? <FilingDialog filing={filing} onClose={() => setIsEditing(false)} /> : null}
    </section>
  );
}

/** A name chosen by a user. Screen readers hear its kind first, which sighted users see from the icon. */
export function Name({ kind, children }: { kind: string; children: string }) {
  return (
    <>
      <span className="visuallyHidden">{kind}: </span>
      <span className="cut" dir="auto">
        {children}
      </span>
    </>
  );
}

interface EntryProps extends Pick<FolderListProps, "view"> {
  /** The change of the view that this link makes. */
  change: Partial<View>;
  /** Default: taken from the address. */
  isChosen?: boolean;
  onRows(ids: readonly string[]): void;
  children: ReactNode;
}

function Entry({ view, change, isChosen = false, onRows, children }: EntryProps) {
  const [isOver, setIsOver] = useState(false);
  return (
    <li>
      <Link
        to="/dashboard"
        search={{ ...view, ...change }}
        preload={false}
        // Keeps the scroll position, unless the link leads to another page.
        resetScroll={view === undefined}
        activeOptions={{ exact: true }}
        aria-current={isChosen || undefined}
        className={isOver ? `${styles.entry} ${styles.over}` : styles.entry}
        onDragOver={(event) => {
          if (!hasRows(event)) return;
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={({ relatedTarget, currentTarget }) => {
          // Moving to a child element does not count as leaving.
          if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false);
        }}
        onDrop={(event) => {
          setIsOver(false);
          const ids = droppedRows(event);
          if (ids.length === 0) return;
          event.preventDefault();
          onRows(ids);
        }}
      >
        {children}
      </Link>
    </li>
  );
}
