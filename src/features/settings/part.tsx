import { useSelector } from "@xstate/react";
import { Fragment, type MouseEvent, type ReactNode, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectHasFailed } from "#machines/query.ts";
import { selectIsSubmitting, selectMessage } from "#machines/submission.ts";
import { type AccountField, Field, Said, submit } from "#src/features/account/account-form.tsx";
import type { Part, PartState } from "#src/features/account/part.ts";
import type { Query } from "#src/features/account/query.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/focus.ts";
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

/** One section of the settings. */
export function Card({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={styles.card} aria-labelledby={id}>
      <h3 id={id} tabIndex={-1}>
        {title}
      </h3>
      {children}
    </section>
  );
}

/**
 * A part's outcome: shown until the part is sent again. It takes the focus when the focused element was removed.
 * `failure` and `success` say which of the two is still true.
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
    currentTarget.closest("section")?.querySelector("h3")?.focus();
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
  children?: ReactNode;
}

/** Fields, outcome, and the submit button. */
export function PartForm({ part, fields, submitLabel, children }: PartFormProps) {
  const { form, completions } = usePart(part);
  return (
    <form className={styles.form} noValidate onSubmit={(event) => submit(event, form)}>
      <Fragment key={completions}>
        {fields.map((field) => (
          <Field key={field.name} form={form} field={field} />
        ))}
      </Fragment>
      {children}
      <Outcome part={part} />
      <Button type="submit" busy={useIsBusy(part)}>
        {submitLabel}
      </Button>
    </form>
  );
}

interface PartButtonProps {
  part: Part;
  label: string;
  look?: "secondary" | "quiet" | "primary";
  icon?: IconName;
  /** The outcome is shown elsewhere. */
  silent?: boolean;
}

/** A part with only a button. */
export function PartButton({ part, label, look = "secondary", icon, silent = false }: PartButtonProps) {
  return (
    <>
      {silent ? null : <Outcome part={part} />}
      <Button look={look} {...(icon && { icon })} busy={useIsBusy(part)} onClick={() => send(part)}>
        {label}
      </Button>
    </>
  );
}
