import { useSelector } from "@xstate/react";
import type { ChangeEvent, KeyboardEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isSelected, selectCount, selectIsSelecting } from "#machines/transcriptions/selection.ts";
import { number } from "#src/i18n/format.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { focusHeading } from "#src/ui/focus.ts";
import type { Selection } from "./actor.ts";
import styles from "./selection.module.css";

interface SelectRowProps {
  selection: Selection;
  id: string;
  title: string;
  /** The ids of all rows, in their visible order. */
  ids(): readonly string[];
}

/**
 * A row's checkbox. Visible on hover and focus, and always on devices without hover. Shift selects all rows up to it.
 */
export function SelectRow({ selection, id, title, ids }: SelectRowProps) {
  const { t } = useTranslation("app");
  const checked = useSelector(selection, isSelected(id));
  const selecting = useSelector(selection, selectIsSelecting);
  const change = ({ nativeEvent }: ChangeEvent) => {
    const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
    selection.send(isRange ? { type: "range.requested", id, ids: ids() } : { type: "row.toggled", id });
  };
  return (
    <label className={`${styles.box} ${selecting ? styles.selecting : ""}`}>
      <input type="checkbox" checked={checked} onChange={change} aria-label={t("selection.row", { title })} />
    </label>
  );
}

/** Finds the row of an element. Rows have their id in `data-row`. */
export const rowOf = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;

/**
 * Focuses the row that follows rows that are about to disappear, or else the heading.
 * @param ids of the disappearing rows
 */
export function focusBeside(ids: readonly string[]): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const stays = ({ dataset }: HTMLElement) => !ids.includes(dataset.row ?? "");
  const first = rows.findIndex((row) => !stays(row));
  const next = rows.slice(first + 1).find(stays) ?? rows.slice(0, Math.max(0, first)).findLast(stays);
  const link = next?.querySelector("a");
  if (link) link.focus();
  else focusHeading();
}

/**
 * Keys of a list with selectable rows: Space on a row's link, Shift with the arrows, arrows between checkboxes, Ctrl+A,
 * and Escape.
 * @param ids all rows, in their visible order
 */
export function selectByKey(selection: Selection, ids: readonly string[], event: KeyboardEvent<HTMLElement>): void {
  const { target, key } = event;
  const id = rowOf(target)?.dataset.row;
  const isBox = target instanceof HTMLInputElement;
  const isLink = target instanceof HTMLAnchorElement;
  if (key === "Escape" && selectIsSelecting(selection.getSnapshot())) selection.send({ type: "selection.cleared" });
  else if (id === undefined || !(isBox || isLink)) return;
  else if (key === " " && isLink) selection.send({ type: "row.toggled", id });
  else if (key === "a" && (event.ctrlKey || event.metaKey)) selection.send({ type: "all.requested", ids });
  else if ((key === "ArrowDown" || key === "ArrowUp") && (event.shiftKey || isBox)) {
    const next = ids[ids.indexOf(id) + (key === "ArrowDown" ? 1 : -1)];
    if (next !== undefined) moveTo(selection, { id, next, ids, isRange: event.shiftKey, isBox });
  } else return;
  event.preventDefault();
}

interface Step {
  id: string;
  next: string;
  ids: readonly string[];
  isRange: boolean;
  isBox: boolean;
}

function moveTo(selection: Selection, { id, next, ids, isRange, isBox }: Step): void {
  if (isRange) {
    if (!isSelected(id)(selection.getSnapshot())) selection.send({ type: "row.toggled", id });
    selection.send({ type: "range.requested", id: next, ids });
  }
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(next)}"] ${isBox ? "input" : "a"}`)?.focus();
}

interface SelectionBarProps {
  selection: Selection;
  /** The number of rows, exact or (`isMore`) a minimum. */
  total: number;
  /** Whether there may be more than `total` rows. */
  isMore?: boolean;
  onAll(): void;
  /** Actions on the selected rows. */
  children: ReactNode;
}

/** Stays visible while rows are selected. Shows their number, selects all, and offers actions. */
export function SelectionBar({ selection, total, isMore = false, onAll, children }: SelectionBarProps) {
  const { t, i18n } = useTranslation("app");
  const count = useSelector(selection, selectCount);
  if (count === 0) return <p className="visuallyHidden" role="status" />;
  return (
    <section className={`card row ${styles.bar}`} aria-label={t("selection.label")}>
      <p className={styles.count} role="status">
        {t("selection.count", { count })}
      </p>
      {count < total || isMore ? (
        <Button look="quiet" onClick={onAll}>
          {t("selection.all", { number: number(total, i18n.language) + (isMore ? "+" : "") })}
        </Button>
      ) : null}
      <div className={`row push ${styles.deeds}`}>{children}</div>
      <IconButton
        icon="close"
        label={t("selection.cancel")}
        onClick={() => {
          // The bar disappears with the button.
          focusHeading();
          selection.send({ type: "selection.cleared" });
        }}
      />
    </section>
  );
}
