import { ClientOnly, Link, useHydrated } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { type InputHTMLAttributes, lazy, type ReactNode, type SubmitEvent, Suspense } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import {
  type Message,
  selectFieldErrors,
  selectFirstWrongField,
  selectIsDone,
  selectIsSubmitting,
  selectMessage,
} from "#machines/submission.ts";
import { Button } from "#src/ui/button.tsx";
import { ChoiceCard, ChoiceCards } from "#src/ui/choice-cards.tsx";
import { TextArea, TextField } from "#src/ui/field.tsx";
import { useHydration } from "#src/ui/hydration.ts";
import { Notice } from "#src/ui/notice.tsx";
import styles from "./account-form.module.css";
import type { AccountForm as Form } from "./forms.ts";

/** Loaded only for fields that set a new password. */
const PasswordStrength = lazy(() => import("./password-strength.tsx"));

const strengthPlace = <div className={styles.strengthPlace} />;

type Input = Pick<InputHTMLAttributes<HTMLInputElement>, "type" | "autoComplete" | "required" | "inputMode">;

export interface AccountField extends Input {
  name: string;
  /** "lines": several lines of text. "rating": an optional rating from 1 to 5. Absent: one line. */
  kind?: "lines" | "rating";
  /** Keys of the locale files. */
  label: string;
  hint?: string;
}

interface AccountFormProps {
  form: Form;
  title: string;
  /** The form's purpose, if the title does not state it. */
  lead?: string | undefined;
  /** Shown before the user types anything. */
  notice?: ReactNode;
  submitLabel: string;
  fields: readonly AccountField[];
  /** Another way to sign in. */
  alternative: ReactNode;
  /** Link to the other form. */
  children: ReactNode;
}

/** Layout of the sign-in and sign-up forms. The fields are uncontrolled, so that password managers can fill them. */
export function AccountForm({ form, title, lead, notice, submitLabel, fields, alternative, children }: AccountFormProps) {
  const { t } = useTranslation();
  const submitting = useSelector(form, selectIsSubmitting);
  const done = useSelector(form, selectIsDone);
  const message = useSelector(form, selectMessage);
  const isHydrated = useHydrated();
  useHydration();
  return (
    <div className={styles.account}>
      <h1 tabIndex={-1}>{title}</h1>
      {lead ? <p>{lead}</p> : null}
      {notice}
      {done && message ? (
        <Said message={message} tone="good" />
      ) : (
        <form className="stack gap-4" method="post" noValidate onSubmit={(event) => submit(event, form)}>
          <noscript>
            <p>{t("account.needsScript")}</p>
          </noscript>
          {fields.map((field) => (
            <Field key={field.name} form={form} field={field} />
          ))}
          {message ? <Said message={message} tone="danger" /> : null}
          {/* Before hydration the browser must not submit the form itself: it would send the password. */}
          <Button type={isHydrated ? "submit" : "button"} look="primary" busy={submitting} className={styles.submit}>
            {submitLabel}
          </Button>
        </form>
      )}
      {done ? null : alternative}
      <p className={`ruled stack starts gap-2 note ${styles.other}`}>{children}</p>
      <span className="visuallyHidden" role="status">
        {submitting ? t("loading") : ""}
      </span>
    </div>
  );
}

/** One field of a form. */
export function Field({ form, field: { label, hint, name, kind, ...input } }: { form: Form; field: AccountField }) {
  const { t } = useTranslation();
  const error = useSelector(form, (snapshot) => selectFieldErrors(snapshot)[name]);
  const change = (value: string) => form.send({ type: "field.changed", field: name, value });
  const value = form.getSnapshot().context.values[name];
  const texts = { name, label: t(label), hint: hint ? t(hint) : undefined, error: error ? t(error) : undefined };
  if (kind === "rating") return <Rating name={name} label={t(label)} value={value} onChange={change} />;
  if (kind === "lines") return <TextArea {...texts} defaultValue={value} onChange={(event) => change(event.target.value)} />;
  const control = (
    <TextField
      {...input}
      {...texts}
      defaultValue={value}
      spellCheck={false}
      autoCapitalize={name === "name" ? "words" : "none"}
      onChange={(event) => change(event.target.value)}
    />
  );
  if (input.autoComplete !== "new-password") return control;
  return (
    <>
      {control}
      {/* Reserves its space: the button must not move between a press and its release. */}
      <ClientOnly fallback={strengthPlace}>
        <Suspense fallback={strengthPlace}>
          <PasswordStrength form={form} name={name} />
        </Suspense>
      </ClientOnly>
    </>
  );
}

interface RatingProps {
  name: string;
  label: string;
  value: string | undefined;
  onChange(value: string): void;
}

/** A rating from 1 to 5. Nothing is selected at first. */
function Rating({ name, label, value, onChange }: RatingProps) {
  return (
    <ChoiceCards legend={label} legendClass="note strong">
      {["1", "2", "3", "4", "5"].map((figure) => (
        <ChoiceCard key={figure} name={name} value={figure} defaultChecked={value === figure} onChange={() => onChange(figure)}>
          {figure}
        </ChoiceCard>
      ))}
    </ChoiceCards>
  );
}

/** The messages to show while the address is not confirmed yet. */
const awaitsConfirmation = new Set(["account.checkEmail", "errors.emailUnconfirmed"]);

/** The form's result message. */
export function Said({ message, tone }: { message: Message; tone: "good" | "danger" }) {
  const { t } = useTranslation();
  const waits = "key" in message && awaitsConfirmation.has(message.key);
  return (
    <Notice tone={tone}>
      {"text" in message ? message.text : t(message.key, { ...message.values })}
      {waits ? (
        <p>
          <Link to="/email-confirmation">{t("account.noMail")}</Link>
        </p>
      ) : null}
    </Notice>
  );
}

/** Submits the fields. An invalid field takes the focus once its error is rendered. */
export function submit(event: SubmitEvent<HTMLFormElement>, form: Form): void {
  event.preventDefault();
  const { currentTarget } = event;
  const entries = [...new FormData(currentTarget)].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  flushSync(() => form.send({ type: "submit.requested", values: Object.fromEntries(entries) }));
  const wrong = selectFirstWrongField(form.getSnapshot());
  const element = wrong === null ? null : currentTarget.elements.namedItem(wrong);
  if (element instanceof HTMLElement) element.focus();
}
