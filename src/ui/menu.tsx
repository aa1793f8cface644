import type { ReactNode } from "react";
import { ButtonIcon, buttonClass } from "./button.tsx";
import field from "./field.module.css";
import type { IconName } from "./icon.tsx";
import styles from "./menu.module.css";

interface MenuProps {
  label: string;
  icon?: IconName;
  /** The chosen value. The button then looks like the chips beside it (SelectField), with the label as their name. */
  value?: string;
  /** Where only the icon is visible, with the label as its name. Default: nowhere. */
  iconOnly?: "everywhere" | "onPhones";
  /** The button's id, to which the focus returns from whatever the menu opens. */
  id?: string;
  /** The chosen action is running: a spinner replaces the icon. */
  busy?: boolean;
  /** The menu opens above the button, which is at the bottom of the window. */
  up?: boolean;
  children: ReactNode;
}

/** A disclosure button with a few more buttons. Choosing one, Escape, or moving the focus out closes it. */
export function Menu({ up = false, children, ...button }: MenuProps) {
  return (
    <details
      className={`${styles.menu} ${up ? styles.up : ""}`}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !event.currentTarget.open) return;
        // An inner menu closes alone.
        event.stopPropagation();
        event.currentTarget.open = false;
        event.currentTarget.querySelector("summary")?.focus();
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false;
      }}
      onClick={(event) => {
        const isChosen = event.target instanceof Element && event.target.closest("button") !== null;
        // A dialog that the menu has opened is its child in React. A press there must not count as a choice.
        if (!isChosen || !event.currentTarget.open) return;
        event.currentTarget.open = false;
        const { activeElement } = document;
        // Restores the focus, unless the chosen action has moved it, for example because its row disappears.
        if (activeElement === document.body || event.currentTarget.contains(activeElement))
          event.currentTarget.querySelector("summary")?.focus();
      }}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) currentTarget.lastElementChild?.scrollIntoView({ block: "nearest" });
      }}
    >
      <MenuButton {...button} />
      {/* `tabIndex`: a press between its fields keeps the focus within. */}
      <div className={styles.sheet} tabIndex={-1}>
        {children}
      </div>
    </details>
  );
}

function MenuButton({ label, icon, value, iconOnly, id, busy = false }: Omit<MenuProps, "up" | "children">) {
  if (value !== undefined) {
    return (
      <summary id={id} className={field.chip}>
        <span className={field.label}>{label}</span>
        <span className={field.control}>{value}</span>
      </summary>
    );
  }
  return (
    <summary
      id={id}
      className={iconOnly === "everywhere" ? buttonClass("quiet", true) : buttonClass("secondary")}
      data-icon-only={iconOnly}
      aria-busy={busy || undefined}
      {...(iconOnly === "everywhere" && { "aria-label": label, title: label })}
    >
      <ButtonIcon icon={icon} busy={busy} />
      {iconOnly === "everywhere" ? null : <span>{label}</span>}
    </summary>
  );
}
