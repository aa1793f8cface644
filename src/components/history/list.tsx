import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { TranscriptionSummary } from "../../api/contract/index.ts";
import styles from "./history.module.css";
import { Row } from "./row.tsx";

/** About as high as a row with a title, two lines of text and its facts (px); measured once it is drawn. */
const rowHeight = 132;

interface ListProps {
  items: readonly TranscriptionSummary[];
  onDelete(item: TranscriptionSummary): void;
  onRetry(id: string): void;
  onOpen(id: string): void;
}

/** The rows in sight, and a few around them: 100,000 transcriptions cost what 20 do. */
export function List({ items, onDelete, onRetry, onOpen }: ListProps) {
  const { t } = useTranslation("app");
  const list = useRef<HTMLUListElement>(null);
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => items[index]?.id ?? index,
  });
  return (
    <ul ref={list} className={styles.list} aria-label={t("history.listLabel")} style={{ blockSize: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const item = items[index];
        return item ? (
          <li
            key={key}
            data-index={index}
            ref={virtualizer.measureElement}
            className={styles.row}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
          >
            <Row item={item} onDelete={onDelete} onRetry={onRetry} onOpen={onOpen} />
          </li>
        ) : null;
      })}
    </ul>
  );
}
