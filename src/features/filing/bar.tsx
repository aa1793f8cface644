import { useSelector } from "@xstate/react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ActorRefFrom } from "xstate";
import { selectAllTags, selectFolders, selectIsLoading, selectIsOffered } from "#machines/filing/machine.ts";
import type { Placing } from "#machines/filing/rules.ts";
import {
  type filedFiltersMachine,
  selectFolder,
  selectOnlyFavourites,
  selectTags,
} from "#machines/transcriptions/filed-filters.ts";
import { Button } from "#src/ui/button.tsx";
import type { OpenFiling } from "./actor.ts";
import { droppedRows, hasRows } from "./drag.ts";
import styles from "./filing.module.css";
import { Glyph } from "./glyphs.tsx";

export const FilingDialog = lazy(async () => ({ default: (await import("./filing-dialog.tsx")).FilingDialog }));

interface BarProps {
  filing: OpenFiling;
  filters: ActorRefFrom<typeof filedFiltersMachine>;
}

/** Folders, tags and favourites, where the server has them: what is chosen is shown, and rows can be dropped on each. */
export function FilingBar(props: BarProps) {
  const isLoading = useSelector(props.filing.list, selectIsLoading);
  const isOffered = useSelector(props.filing.list, selectIsOffered);
  if (isOffered) return <Bar {...props} />;
  // Its place, so that the list does not move when it comes.
  return isLoading ? <div className={styles.bar} /> : null;
}

function Bar({ filing, filters }: BarProps) {
  const { t } = useTranslation("filing");
  const folders = useSelector(filing.list, selectFolders);
  const tags = useSelector(filing.list, selectAllTags);
  const folder = useSelector(filters, selectFolder);
  const chosen = useSelector(filters, selectTags);
  const favourites = useSelector(filters, selectOnlyFavourites);
  const [isEditing, setIsEditing] = useState(false);
  const placing = (where: Placing) => (ids: readonly string[]) =>
    filing.bulk.send({ type: "placing.requested", ids, placing: where });
  const choose = (id: string) => () => filters.send({ type: "folder.changed", folder: id === folder ? "all" : id });
  return (
    <section className={styles.bar} aria-label={t("label")}>
      <Chip
        pressed={favourites}
        onPress={() => filters.send({ type: "favourites.toggled" })}
        onRows={placing({ favourite: true })}
      >
        <Glyph name="star" filled={favourites} />
        {t("favourites")}
      </Chip>
      {folders.length > 0 ? (
        <Chip pressed={folder === "none"} onPress={choose("none")} onRows={placing({ folderId: null })}>
          {t("noFolder")}
        </Chip>
      ) : null}
      {folders.map(({ id, name }) => (
        <Chip key={id} pressed={folder === id} onPress={choose(id)} onRows={placing({ folderId: id })}>
          <Glyph name="folder" />
          <Name kind={t("folder")}>{name}</Name>
        </Chip>
      ))}
      {tags.map(({ id, name, colour }) => (
        <Chip
          key={id}
          pressed={chosen.includes(id)}
          onPress={() => filters.send({ type: "tag.toggled", id })}
          onRows={placing({ addTags: [id] })}
        >
          <span className={styles.dot} data-colour={colour} />
          <Name kind={t("tag")}>{name}</Name>
        </Chip>
      ))}
      <Button look="quiet" icon="edit" className={styles.edit} onClick={() => setIsEditing(true)}>
        {t("edit")}
      </Button>
      {isEditing ? (
        <Suspense fallback={null}>
          <FilingDialog filing={filing} onClose={() => setIsEditing(false)} />
        </Suspense>
      ) : null}
    </section>
  );
}

/** A name that somebody chose, after what it is the name of, which is seen by its sign. */
export function Name({ kind, children }: { kind: string; children: string }) {
  return (
    <>
      <span className="visuallyHidden">{kind}: </span>
      <span className={styles.name} dir="auto">
        {children}
      </span>
    </>
  );
}

interface ChipProps {
  pressed: boolean;
  onPress(): void;
  onRows(ids: readonly string[]): void;
  children: ReactNode;
}

function Chip({ pressed, onPress, onRows, children }: ChipProps) {
  const [isOver, setIsOver] = useState(false);
  return (
    <button
      type="button"
      className={`${styles.chip} ${isOver ? styles.over : ""}`}
      aria-pressed={pressed}
      onClick={onPress}
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
    </button>
  );
}
