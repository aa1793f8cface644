import type { ReactNode } from "react";
import { ButtonIcon, buttonClass } from "./button.tsx";
import type { IconName } from "./icon.tsx";
import styles from "./menu.module.css";

interface MenuProps {
  label: string;
  icon: IconName;
  /** The chosen action is in progress: a spinner replaces the icon. */
  busy?: boolean;
  /** It opens above the button, which is at the bottom of the window. */
  up?: boolean;
  children: ReactNode;
}

/** A disclosure button with a few more buttons. Choosing one, Escape, or moving the focus out closes it. */
export function Menu({ label, icon, busy = false, up = false, children }: MenuProps) {
  return (
    <details
      className={`${styles.menu} ${up ? styles.up : ""}`}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !event.currentTarget.open) return;
        event.currentTarget.open = false;
        event.currentTarget.querySelector("summary")?.focus();
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false;
      }}
      onClick={(event) => {
        if (!(event.target instanceof Element && event.target.closest("button"))) return;
        event.currentTarget.open = false;
        event.currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary className={buttonClass("secondary")} aria-busy={busy || undefined}>
        <ButtonIcon icon={icon} busy={busy} />
        {label}
      </summary>
      <div className={styles.sheet}>{children}</div>
    </details>
  );
}
