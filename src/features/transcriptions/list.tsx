import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { TranscriptionSummary } from "#contract/index.ts";
import { selectSelected } from "#machines/transcriptions/selection.ts";
import type { OpenFiling } from "#src/features/filing/actor.ts";
import { beginDrag } from "#src/features/filing/drag.ts";
import type { Selection } from "./actor.ts";
import { canRetry } from "./problem.ts";
import { Row } from "./row.tsx";
import { rowOf, SelectRow, selectByKey } from "./selection.tsx";
import { useShownTitle } from "./shown-title.ts";
import styles from "./transcriptions.module.css";

/** Estimated height of a row with title, two lines of text and facts (px); measured once rendered. */
const rowHeight = 132;
/** Rows that are laid out at first, and added each time the end comes near: each keystroke of a search lays them out anew. */
const portion = 500;
const nearTheEnd = 50;

interface ListProps {
  selection: Selection;
  filing: OpenFiling;
  items: readonly TranscriptionSummary[];
  term: string;
  onDelete(item: TranscriptionSummary): void;
  onRetry(id: string): void;
  onOpen(id: string): void;
  /** Its end comes near. */
  onEnd(): void;
}

/** A virtualised list: 100,000 transcriptions cost what 20 do. */
export function List({ selection, filing, items, term, onDelete, onRetry, onOpen, onEnd }: ListProps) {
  const { t } = useTranslation("app");
  const shownTitle = useShownTitle();
  const list = useRef<HTMLUListElement>(null);
  const [reach, setReach] = useState(portion);
  const count = Math.min(items.length, reach);
  const ids = () => items.map(({ id }) => id);
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: 3,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: useCallback((index: number) => items[index]?.id ?? index, [items]),
    onChange: ({ range }) => {
      if ((range?.endIndex ?? 0) <= count - nearTheEnd) return;
      if (count < items.length) setReach(reach + portion);
      else onEnd();
    },
  });
  return (
    <ul
      ref={list}
      className={styles.list}
      aria-label={t("history.listLabel")}
      style={{ blockSize: virtualizer.getTotalSize() }}
      onKeyDown={(event) => selectByKey(selection, ids(), event)}
      onDragStart={(event) => {
        const id = rowOf(event.target)?.dataset.row;
        if (id === undefined) return;
        // What is selected goes along with each of it.
        const selected = selectSelected(selection.getSnapshot());
        beginDrag(event, selected.has(id) ? [...selected] : [id]);
      }}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const item = items[index];
        return item ? (
          <li
            key={key}
            data-index={index}
            data-row={item.id}
            ref={virtualizer.measureElement}
            className={`${styles.row} ${canRetry(item) ? styles.withRetry : ""}`}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
          >
            <SelectRow selection={selection} id={item.id} title={shownTitle(item)} ids={ids} />
            <Row item={item} filing={filing} term={term} onDelete={onDelete} onRetry={onRetry} onOpen={onOpen} />
          </li>
        ) : null;
      })}
    </ul>
  );
}
