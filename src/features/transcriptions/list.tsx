import { useWindowVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { type DragEvent, Fragment, type RefObject, useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { HistorySort, TranscriptionSummary } from "#contract/index.ts";
import { selectSelected } from "#machines/transcriptions/selection.ts";
import type { OpenFiling } from "#src/features/filing/actor.ts";
import { beginDrag } from "#src/features/filing/drag.ts";
import type { Selection } from "./actor.ts";
import { linesByDay, linesOf } from "./days.ts";
import { Row } from "./row.tsx";
import { rowOf, SelectRow, selectByKey } from "./selection.tsx";
import { rowTitles, wholeTitle } from "./shown-title.ts";
import styles from "./transcriptions.module.css";

/** Estimated heights of a row and of a day's heading (px). The actual ones are measured after rendering. */
const heights = { row: 66, day: 42 };
/**
 * The number of rows laid out at first, and added each time the end comes near. Limited, because each keystroke of a
 * search lays them out again.
 */
const portion = 500;
const nearTheEnd = 50;

interface ListProps {
  selection: Selection;
  filing: OpenFiling;
  items: readonly TranscriptionSummary[];
  sort: HistorySort;
  term: string;
  onDelete(item: TranscriptionSummary): void;
  onRetry(id: string): void;
  onOpen(id: string): void;
  /** Called when the end comes near. */
  onEnd(): void;
}

/** The first lines, the titles of their rows, and the lines near the window. */
function useLines(list: RefObject<HTMLElement | null>, { items, sort, onEnd }: Pick<ListProps, "items" | "sort" | "onEnd">) {
  const { t, i18n } = useTranslation("app");
  const { language } = i18n;
  const [reach, setReach] = useState(portion);
  const { lines, titles } = useMemo(() => {
    const shown = items.slice(0, reach);
    const isByDay = sort === "newest" || sort === "oldest";
    return { lines: isByDay ? linesByDay(shown, Date.now(), language) : linesOf(shown), titles: rowTitles(shown, t) };
  }, [items, sort, reach, t, language]);
  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => heights[lines[index]?.item ? "row" : "day"],
    overscan: 3,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: useCallback((index: number) => lines[index]?.item?.id ?? `day ${lines[index]?.at}`, [lines]),
    onChange: ({ range }) => {
      if ((range?.endIndex ?? 0) <= lines.length - nearTheEnd) return;
      if (reach < items.length) setReach(reach + portion);
      else onEnd();
    },
  });
  return { lines, titles, virtualizer };
}

/** A virtualized list, grouped by day if it is sorted by date. 100,000 transcriptions cost as much as 20. */
export function List({ selection, filing, items, sort, term, onDelete, onRetry, onOpen, onEnd }: ListProps) {
  const { t, i18n } = useTranslation("app");
  const list = useRef<HTMLDivElement>(null);
  const { lines, titles, virtualizer } = useLines(list, { items, sort, onEnd });
  const ids = () => items.map(({ id }) => id);
  const placed = ({ index, start }: VirtualItem) => ({
    ref: virtualizer.measureElement,
    "data-index": index,
    style: { transform: `translateY(${start - virtualizer.options.scrollMargin}px)` },
  });
  const row = (place: VirtualItem) => {
    const { item = null, at = 0, day = "" } = lines[place.index] ?? {};
    const title = titles.get(item?.id ?? "");
    if (item === null || title === undefined) return null;
    const whole = wholeTitle(title, item.date, i18n.language);
    return (
      <li
        key={place.key}
        {...placed(place)}
        data-row={item.id}
        className={styles.row}
        aria-setsize={items.length}
        aria-posinset={at + 1}
      >
        <SelectRow selection={selection} id={item.id} title={whole} ids={ids} />
        <Row {...{ filing, item, term, onDelete, onRetry, onOpen }} {...title} whole={whole} isByDay={day !== ""} />
      </li>
    );
  };
  const days = Map.groupBy(virtualizer.getVirtualItems(), ({ index }) => lines[index]?.day ?? "");
  return (
    <div ref={list} className={styles.list} style={{ blockSize: virtualizer.getTotalSize() }}>
      {[...days].map(([day, shown]) => (
        <Fragment key={day}>
          {shown.map((place) =>
            lines[place.index]?.item === null ? (
              <h2 key={place.key} className={`label ${styles.day}`} {...placed(place)}>
                {day}
              </h2>
            ) : null,
          )}
          <ul
            aria-label={day === "" ? t("history.listLabel") : `${t("history.listLabel")}: ${day}`}
            onKeyDown={(event) => selectByKey(selection, ids(), event)}
            onDragStart={(event) => drag(selection, event)}
          >
            {shown.map(row)}
          </ul>
        </Fragment>
      ))}
    </div>
  );
}

/** Dragging a selected row drags the whole selection. */
function drag(selection: Selection, event: DragEvent<HTMLElement>): void {
  const id = rowOf(event.target)?.dataset.row;
  if (id === undefined) return;
  const selected = selectSelected(selection.getSnapshot());
  beginDrag(event, selected.has(id) ? [...selected] : [id]);
}
