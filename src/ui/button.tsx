import type { ComponentProps, ReactNode } from "react";
import styles from "./button.module.css";
import { Icon, type IconName } from "./icon.tsx";

type Look = "primary" | "secondary" | "quiet" | "danger";

/** The classes of a button's look, for links that look like one. */
export function buttonClass(look: Look, iconOnly = false): string {
  return [styles.button, styles[look], iconOnly ? styles.iconOnly : ""].join(" ");
}

interface ButtonProps extends ComponentProps<"button"> {
  look?: Look;
  icon?: IconName;
  /** A large circle with the label below the icon, for the page's main action. */
  round?: boolean;
  /** Work is running: a spinner replaces the icon, and further clicks do nothing. */
  busy?: boolean;
  children: ReactNode;
}

export function Button({ look = "secondary", icon, round = false, busy = false, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${buttonClass(look)} ${round ? styles.round : ""} ${rest.className ?? ""}`}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest["aria-disabled"] || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      <ButtonIcon icon={icon} busy={busy} />
      {children}
    </button>
  );
}

/** The icon of a button; a spinner while work is running. */
export function ButtonIcon({ icon, busy }: { icon: IconName | undefined; busy: boolean }) {
  if (busy) return <span className={styles.spinner} aria-hidden="true" />;
  return icon === undefined ? null : <Icon name={icon} />;
}

interface IconButtonProps extends ComponentProps<"button"> {
  look?: Look;
  icon: IconName;
  /** The action's name, for screen readers and as a tooltip. */
  label: string;
}

export function IconButton({ look = "quiet", icon, label, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`${buttonClass(look, true)} ${rest.className ?? ""}`}
    >
      <Icon name={icon} />
    </button>
  );
}
