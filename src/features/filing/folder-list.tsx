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

/** What the library shows, as an address says it. */
type View = Omit<LibraryView, "tags"> & { tags: string[] };

interface FolderListProps {
  filing: OpenFiling;
  /** What is shown of the library; undefined: another page is. */
  view: View | undefined;
}

/**
 * Favourites, folders and tags, where the server has them: each is a link to what is in it, and rows can be dropped
 * on it.
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

/** A name that somebody chose, after what it is the name of, which is seen by its sign. */
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
  /** What is different in what the library shows then. */
  change: Partial<View>;
  /** Default: the address says so. */
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
        // The list stays where it is on the page, unless the page is another one.
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
          // Moving on to what is in it is not leaving.
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
