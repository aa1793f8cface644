import { type FormEvent, type ReactNode, useId } from "react";
import { Button } from "./button.tsx";
import { focusFirstField } from "./editing-in-place.ts";
import entries from "./entries.module.css";

interface EntryFormProps {
  title: string;
  /** The labels of the submit and the cancel button. */
  submitLabel: string;
  cancelLabel: string;
  /** The form was sent. It can't be cancelled until there is an answer. */
  busy: boolean;
  onSubmit(form: HTMLFormElement): void;
  onDismiss(): void;
  className?: string | undefined;
  children: ReactNode;
}

/** A form that replaces the button that opened it. It takes the focus, and Escape cancels it. */
export function EntryForm(props: EntryFormProps) {
  const { title, submitLabel, cancelLabel, busy, onSubmit, onDismiss, className = "", children } = props;
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(event.currentTarget);
  };
  const dismiss = () => {
    if (!busy) onDismiss();
  };
  return (
    <form
      ref={focusFirstField}
      className={`${entries.form} ${className}`}
      noValidate
      aria-labelledby={id}
      onSubmit={submit}
      onKeyDown={({ key }) => key === "Escape" && dismiss()}
    >
      <h3 id={id}>{title}</h3>
      {children}
      <div className="row">
        <Button type="submit" look="primary" busy={busy}>
          {submitLabel}
        </Button>
        <Button look="quiet" aria-disabled={busy} onClick={dismiss}>
          {cancelLabel}
        </Button>
      </div>
    </form>
  );
}
