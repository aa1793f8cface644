import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { TokenScope, tokenDays, tokenScopes } from "#contract/index.ts";
import { selectFailure } from "#machines/collection/loading.ts";
import { selectIsCreating } from "#machines/collection/selectors.ts";
import { PresentPassword } from "#src/features/collection/present-password.tsx";
import entries from "#src/ui/entries.module.css";
import { EntryForm } from "#src/ui/entry-form.tsx";
import { Options, SelectField, TextField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { PersonalTokens } from "./actor.ts";
import styles from "./personal-tokens.module.css";
import { scopeKey } from "./scope-key.ts";

interface NewTokenProps {
  tokens: PersonalTokens;
  confirmation: ReactNode;
}

/** The default lifetime (days). */
const usualDays = 30;

const draftIn = (form: HTMLFormElement) => {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? "");
  const scopes = data.getAll("scope").filter((scope) => v.is(TokenScope, scope));
  return { name: text("name"), scopes, days: Number(text("days")), password: text("password") };
};

/** The form for a new token: its purpose, scopes, lifetime, and the user's password. */
export function NewToken({ tokens, confirmation }: NewTokenProps) {
  const { t, i18n } = useTranslation("personal-tokens");
  const failure = useSelector(tokens, selectFailure);
  const creating = useSelector(tokens, selectIsCreating);
  const days = new Intl.NumberFormat(i18n.language, { style: "unit", unit: "day", unitDisplay: "long" });
  return (
    <EntryForm
      className="ruled"
      title={t("form.title")}
      submitLabel={t("form.create")}
      cancelLabel={t("form.cancel")}
      busy={creating}
      onSubmit={(form) => tokens.send({ type: "creation.submitted", draft: draftIn(form) })}
      onDismiss={() => tokens.send({ type: "creation.dismissed" })}
    >
      <TextField
        name="name"
        label={t("form.name")}
        hint={t("form.nameHint")}
        error={failure === "noName" ? t("failure.noName") : undefined}
        maxLength={100}
        autoComplete="off"
        required
      />
      <Scopes />
      <SelectField name="days" label={t("form.days")} defaultValue={usualDays}>
        <Options of={tokenDays.map((count) => [count, days.format(count)])} />
      </SelectField>
      <PresentPassword confirmation={confirmation} />
      {failure === null || failure === "noName" ? null : (
        <Notice tone="danger">{t([`failure.${failure}`, "failure.other"])}</Notice>
      )}
    </EntryForm>
  );
}

function Scopes() {
  const { t } = useTranslation("personal-tokens");
  return (
    <fieldset className={`stack gap-2 ${entries.choices}`}>
      <legend>{t("form.scopes")}</legend>
      {tokenScopes.map((scope) => (
        <label key={scope} className={entries.choice}>
          <input type="checkbox" name="scope" value={scope} />
          <span>
            {t(`scope.${scopeKey(scope)}`)} <code className={`note ${styles.id}`}>{scope}</code>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
