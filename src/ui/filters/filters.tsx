import type { MouseEvent, ReactNode } from "react";
import { Icon } from "#src/ui/icon.tsx";
import { Menu } from "#src/ui/menu.tsx";
import styles from "./filters.module.css";

/** The focused element disappears with the last filter, so the search field or the filters' button takes the focus. */
export function focusFilters(): void {
  document.querySelector<HTMLElement>("main search :is(input[type=search], summary)")?.focus();
}

interface FilterMenuProps {
  label: string;
  /** The number of active filters. */
  count: number;
  children: ReactNode;
}

/** All filters of a list behind one button. Place it in a `<search>`. */
export function FilterMenu({ label, count, children }: FilterMenuProps) {
  return (
    <div className={styles.menu}>
      <Menu label={count === 0 ? label : `${label} (${count})`} icon="settings">
        <div className={`stack ${styles.choices}`}>{children}</div>
      </Menu>
    </div>
  );
}

/** The active filters. Place it in a row that wraps. */
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
  /** The button's name for screen readers: it removes the filter. */
  label: string;
  onRemove(): void;
}

/** One active filter, with the button that removes it. */
export function SetFilter({ sign, name, label, onRemove }: SetFilterProps) {
  const remove = ({ currentTarget }: MouseEvent) => {
    // The chip disappears with its button, so a chip beside it takes the focus.
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
