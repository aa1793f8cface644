import { useSelector } from "@xstate/react";
import type { FormEvent } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { selectIsUnlocking, selectRefusal } from "#machines/visit/machine.ts";
import { Button } from "#src/ui/button.tsx";
import { TextField } from "#src/ui/field.tsx";
import { Page } from "#src/ui/page.tsx";
import type { Visit } from "./actor.ts";
import styles from "./visit.module.css";

const explained = ["noPassphrase", "wrongPassword", "tooManyRequests", "network"];

const fieldIn = (form: HTMLFormElement | null) => form?.querySelector<HTMLElement>("input") ?? null;
const focusField = (form: HTMLFormElement | null) => fieldIn(form)?.focus();

/** Asks for the passphrase that whoever shares the link has told its visitors. */
export function Locked({ actor }: Pick<Visit, "actor">) {
  const { t } = useTranslation("visit");
  const unlocking = useSelector(actor, selectIsUnlocking);
  const refusal = useSelector(actor, selectRefusal);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const passphrase = String(new FormData(form).get("passphrase") ?? "");
    flushSync(() => actor.send({ type: "passphrase.entered", passphrase }));
    fieldIn(form)?.focus();
  };
  return (
    <Page title={t("locked")} lead={t("lockedText")}>
      <form ref={focusField} className={styles.form} noValidate onSubmit={submit}>
        <TextField
          name="passphrase"
          type="password"
          label={t("passphrase")}
          error={refusal === null ? undefined : t(`refusal.${explained.includes(refusal) ? refusal : "other"}`)}
          autoComplete="off"
          maxLength={1000}
          required
        />
        <div>
          <Button type="submit" look="primary" icon="lock" busy={unlocking}>
            {t("unlock")}
          </Button>
        </div>
        <span className="visuallyHidden" role="status">
          {unlocking ? t("opening") : ""}
        </span>
      </form>
    </Page>
  );
}
