import { type MouseEvent, type ReactNode, useId } from "react";
import { Button } from "./button.tsx";
import styles from "./dialog.module.css";
import type { IconName } from "./icon.tsx";

interface ConfirmDialogProps {
  title: string;
  text: string;
  confirmLabel: string;
  cancelLabel: string;
  /** Icon of the confirm button; null for none. */
  icon?: IconName | null;
  /** Fields below the text. */
  children?: ReactNode;
  onConfirm(): void;
  onCancel(): void;
}

/** Closes the dialog, which restores the focus to the opener. Unmounting it would not. */
const close = ({ currentTarget }: MouseEvent) => currentTarget.closest("dialog")?.close();

/** A stable ref, so that React calls it only once and a closed dialog stays closed. */
const show = (dialog: HTMLDialogElement | null) => dialog?.showModal();

/**
 * Asks for confirmation before a deletion. The browser's modal dialog: it traps the focus, Escape cancels, and closing
 * restores the focus.
 */
export function ConfirmDialog({
  title,
  text,
  confirmLabel,
  cancelLabel,
  icon = "trash",
  children,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const id = useId();
  return (
    <dialog
      ref={show}
      className={styles.dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={onCancel}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <p id={`${id}-text`} className={styles.body}>
        {text}
      </p>
      {children === undefined ? null : <div className={`stack gap-4 ${styles.fields}`}>{children}</div>}
      <div className="row at-end">
        <Button look="quiet" onClick={close} autoFocus>
          {cancelLabel}
        </Button>
        <Button
          look="danger"
          {...(icon && { icon })}
          onClick={(event) => {
            close(event);
            onConfirm();
          }}
        >
          {confirmLabel}
        </Button>
      </div>
    </dialog>
  );
}
