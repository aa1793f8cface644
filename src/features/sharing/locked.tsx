import { useSelector } from "@xstate/react";
import type { FormEvent } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { selectIsUnlocking, selectRefusal } from "#machines/sharing/visit.ts";
import { Button } from "#src/ui/button.tsx";
import { TextField } from "#src/ui/field.tsx";
import { Page } from "#src/ui/page.tsx";
import styles from "./visit.module.css";
import type { Visit } from "./visit-actor.ts";

const explained = ["noPassphrase", "wrongPassword", "tooManyRequests", "network"];

const fieldIn = (form: HTMLFormElement | null) => form?.querySelector<HTMLElement>("input") ?? null;
const focusField = (form: HTMLFormElement | null) => fieldIn(form)?.focus();

/** Asks for the passphrase of a link to a transcript. */
export function Locked({ actor }: Pick<Visit, "actor">) {
  const { t } = useTranslation("visit");
  const isUnlocking = useSelector(actor, selectIsUnlocking);
  const refusal = useSelector(actor, selectRefusal);
  return (
    <PassphrasePage
      title={t("locked")}
      isUnlocking={isUnlocking}
      error={refusal === null ? undefined : t(`refusal.${explained.includes(refusal) ? refusal : "other"}`)}
      onEnter={(passphrase) => actor.send({ type: "passphrase.entered", passphrase })}
    />
  );
}

interface PassphrasePageProps {
  title: string;
  isUnlocking: boolean;
  /** Why what was typed does not open it. */
  error: string | undefined;
  onEnter(passphrase: string): void;
}

/** Asks for the passphrase that whoever shares the link has told its visitors. */
export function PassphrasePage({ title, isUnlocking, error, onEnter }: PassphrasePageProps) {
  const { t } = useTranslation("visit");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const passphrase = String(new FormData(form).get("passphrase") ?? "");
    flushSync(() => onEnter(passphrase));
    fieldIn(form)?.focus();
  };
  return (
    <Page title={title} lead={t("lockedText")}>
      <form ref={focusField} className={styles.form} noValidate onSubmit={submit}>
        <TextField
          name="passphrase"
          type="password"
          label={t("passphrase")}
          error={error}
          autoComplete="off"
          maxLength={1000}
          required
        />
        <div>
          <Button type="submit" look="primary" icon="lock" busy={isUnlocking}>
            {t("unlock")}
          </Button>
        </div>
        <span className="visuallyHidden" role="status">
          {isUnlocking ? t("opening") : ""}
        </span>
      </form>
    </Page>
  );
}
