import type { MouseEvent, ReactNode } from "react";
import { Icon } from "#src/ui/icon.tsx";
import { Menu } from "#src/ui/menu.tsx";
import styles from "./filters.module.css";

/** What had the focus disappears with the last filter: the search field takes it, or the button of the filters. */
export function focusFilters(): void {
  document.querySelector<HTMLElement>("main search :is(input[type=search], summary)")?.focus();
}

interface FilterMenuProps {
  label: string;
  /** How many filters are set. */
  count: number;
  children: ReactNode;
}

/** All filters of a list, behind one button. To stand in a `<search>`. */
export function FilterMenu({ label, count, children }: FilterMenuProps) {
  return (
    <div className={styles.menu}>
      <Menu label={count === 0 ? label : `${label} (${count})`} icon="settings">
        <div className={`stack ${styles.choices}`}>{children}</div>
      </Menu>
    </div>
  );
}

/** The filters that are set. To stand in a row that wraps. */
export function SetFilters({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={styles.chips} aria-label={label}>
      {children}
    </ul>
  );
}

interface SetFilterProps {
  sign?: ReactNode;
  name: string;
  /** What the button says to screen readers: it removes the filter. */
  label: string;
  onRemove(): void;
}

/** One filter that is set, and the button that removes it. */
export function SetFilter({ sign, name, label, onRemove }: SetFilterProps) {
  const remove = ({ currentTarget }: MouseEvent) => {
    // The chip disappears with its button.
    const chip = currentTarget.closest("li");
    const neighbour = (chip?.nextElementSibling ?? chip?.previousElementSibling)?.querySelector("button");
    if (neighbour) neighbour.focus();
    else focusFilters();
    onRemove();
  };
  return (
    <li>
      <button type="button" className={styles.chip} aria-label={label} onClick={remove}>
        {sign}
        <span className={styles.name} dir="auto">
          {name}
        </span>
        <Icon name="close" />
      </button>
    </li>
  );
}
