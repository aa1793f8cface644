import { useSelector } from "@xstate/react";
import { Fragment, type MouseEvent, type ReactNode, useId, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectHasFailed } from "#machines/query.ts";
import { selectIsSubmitting, selectMessage } from "#machines/submission.ts";
import { type AccountField, Field, Said, submit } from "#src/features/account/account-form.tsx";
import { passwordField } from "#src/features/account/fields.ts";
import type { Part, PartState } from "#src/features/account/part.ts";
import type { Query } from "#src/features/account/query.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { focusFirstField, useEditingInPlace } from "#src/ui/editing-in-place.ts";
import type { IconName } from "#src/ui/icon.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import styles from "./settings.module.css";

export const usePart = (part: Part): PartState => useSyncExternalStore(part.subscribe, part.get);

export function useIsBusy(part: Part): boolean {
  return useSelector(usePart(part).form, selectIsSubmitting);
}

export function send(part: Part, values: Record<string, string> = {}): void {
  part.get().form.send({ type: "submit.requested", values });
}

/** The field for the current password, which confirms a change. @param name the field's name in the API */
export const presentPassword = (name: string): AccountField => ({ ...passwordField, name, label: "settings:password.present" });

interface CardProps {
  /** The heading's id, which a link to the card has as its fragment. */
  id: string;
  title: string;
  /** Explains the card. */
  text?: string;
  children: ReactNode;
}

/** One card of a section. */
export function Card({ id, title, text, children }: CardProps) {
  return (
    <section className={`card pad-5 stack starts ${styles.card}`} aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {text === undefined ? null : <p className="note">{text}</p>}
      {children}
    </section>
  );
}

/**
 * A part's outcome, shown until the part is sent again. Takes the focus when the focused element disappears. `failure`
 * and `success` tell which of the two still applies.
 */
export function Outcome({ part, failure = true, success = true }: { part: Part; failure?: boolean; success?: boolean }) {
  const { form, said, completions } = usePart(part);
  const message = useSelector(form, selectMessage);
  const busy = useSelector(form, selectIsSubmitting);
  if (message !== null) return failure ? <Said message={message} tone="danger" /> : null;
  if (said === null || busy || !success) return null;
  return (
    <div key={completions} ref={claimFocus} tabIndex={-1} className={styles.said}>
      <Said message={said} tone="good" />
    </div>
  );
}

/** A loading error with a retry button. When the button disappears, the section's heading takes the focus. */
export function LoadFailure<Data>({ query, text }: { query: Query<Data>; text: string }) {
  const { t } = useTranslation("settings");
  const failed = useSelector(query, selectHasFailed);
  if (!failed) return null;
  const retry = ({ currentTarget }: MouseEvent) => {
    currentTarget.closest("section")?.querySelector("h2")?.focus();
    query.send({ type: "retry.requested" });
  };
  return (
    <RetryNotice label={t("retry")} onRetry={retry}>
      {text}
    </RetryNotice>
  );
}

interface PartFormProps {
  part: Part;
  fields: readonly AccountField[];
  submitLabel: string;
  /** The account's email address, which tells password managers whose password is needed. */
  username?: string | undefined;
  /** Cancels the form. */
  onCancel?(): void;
}

/** Fields, outcome, and the submit button. */
export function PartForm({ part, fields, submitLabel, username, onCancel }: PartFormProps) {
  const { t } = useTranslation("settings");
  const { form } = usePart(part);
  const isBusy = useIsBusy(part);
  return (
    <form className={`stack starts fill ${styles.form}`} noValidate onSubmit={(event) => submit(event, form)}>
      {username === undefined ? null : <input hidden type="email" autoComplete="username" value={username} readOnly />}
      <Fragment key={form.sessionId}>
        {fields.map((field) => (
          <Field key={field.name} form={form} field={field} />
        ))}
      </Fragment>
      <Outcome part={part} />
      <div className="row">
        <Button type="submit" busy={isBusy}>
          {submitLabel}
        </Button>
        {onCancel === undefined ? null : (
          <Button look="quiet" aria-disabled={isBusy} onClick={onCancel}>
            {t("cancel")}
          </Button>
        )}
      </div>
    </form>
  );
}

interface ChangeFormProps extends Omit<PartFormProps, "onCancel"> {
  /** The label of the button that opens the form: "Change…". */
  label: string;
  /** The id of the heading that names the setting. */
  headingId: string;
  /** Shown before the fields. */
  before?: ReactNode;
  /**
   * Another part of the same card. Opening this one clears its message, which is outdated and may be the same sentence.
   */
  replaces?: Part;
}

/**
 * A button that opens a form, until it is submitted or cancelled. The form takes the focus, and returns it to the
 * button.
 */
export function ChangeForm({ label, headingId, before, replaces, ...form }: ChangeFormProps) {
  const id = useId();
  const { part } = form;
  const { completions } = usePart(part);
  const isBusy = useIsBusy(part);
  const { begin, opener } = useEditingInPlace();
  // Each success closes the form.
  const [openedAt, setOpenedAt] = useState<number | null>(null);
  const open = () => {
    part.clearMessage();
    replaces?.clearMessage();
    begin();
    setOpenedAt(completions);
  };
  const close = () => {
    if (isBusy) return;
    part.restart();
    setOpenedAt(null);
  };
  if (openedAt !== completions) {
    return (
      <>
        <Outcome part={part} />
        <Button ref={opener} id={id} aria-labelledby={`${id} ${headingId}`} onClick={open}>
          {label}
        </Button>
      </>
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is heard from all that stands in it
    <div className={`stack starts ${styles.stack}`} ref={focusFirstField} onKeyDown={({ key }) => key === "Escape" && close()}>
      {before}
      <PartForm {...form} onCancel={close} />
    </div>
  );
}

interface PartButtonProps {
  part: Part;
  label: string;
  look?: "secondary" | "quiet" | "primary";
  icon?: IconName;
  /** Whether the outcome is shown elsewhere. */
  silent?: boolean;
  /** Another part of the same card, as with {@link ChangeForm}. */
  replaces?: Part;
}

/** A part with only a button. */
export function PartButton({ part, label, look = "secondary", icon, silent = false, replaces }: PartButtonProps) {
  const press = () => {
    replaces?.clearMessage();
    send(part);
  };
  return (
    <>
      {silent ? null : <Outcome part={part} />}
      <Button look={look} {...(icon && { icon })} busy={useIsBusy(part)} onClick={press}>
        {label}
      </Button>
    </>
  );
}
