import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { minPasswordLength, type SharedLink } from "#contract/index.ts";
import { selectEdited, selectFailure, selectIsSaving } from "#machines/sharing/machine.ts";
import entries from "#src/ui/entries.module.css";
import { EntryForm } from "#src/ui/entry-form.tsx";
import { TextField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { Sharing } from "./actor.ts";
import { changeIn, dayOf, wantedIn } from "./form-values.ts";

/** What there is to be shared, besides the text. */
export interface Has {
  audio: boolean;
  translation: boolean;
}

/** What a link shows, to whom and until when: of a new one, or of one that there is. */
export function LinkForm({ sharing, has }: { sharing: Sharing; has: Has }) {
  const { t } = useTranslation("sharing");
  const edited = useSelector(sharing, selectEdited);
  const saving = useSelector(sharing, selectIsSaving);
  const failure = useSelector(sharing, selectFailure);
  const submit = (form: HTMLFormElement) => {
    const data = new FormData(form);
    if (edited === null) sharing.send({ type: "creation.requested", wanted: wantedIn(data) });
    else sharing.send({ type: "change.requested", change: changeIn(data, edited) });
  };
  return (
    <EntryForm
      title={t(edited === null ? "form.title" : "form.titleChange")}
      submitLabel={t(edited === null ? "form.create" : "form.save")}
      cancelLabel={t("form.cancel")}
      busy={saving}
      onSubmit={submit}
      onDismiss={() => sharing.send({ type: "form.dismissed" })}
    >
      <TextField
        name="name"
        label={t("form.name")}
        hint={t("form.nameHint")}
        defaultValue={edited?.name}
        maxLength={80}
        autoComplete="off"
      />
      <Shown has={has} edited={edited} />
      <TextField
        name="day"
        type="date"
        label={t("form.until")}
        hint={t("form.untilHint")}
        error={failure === "pastEnd" ? t("failure.pastEnd") : undefined}
        defaultValue={edited?.expiresAt ? dayOf(edited.expiresAt) : ""}
      />
      <PassphraseField edited={edited} failure={failure} />
      <Failure failure={failure} />
    </EntryForm>
  );
}

function Shown({ has, edited }: { has: Has; edited: SharedLink | null }) {
  const { t } = useTranslation("sharing");
  const offered = [
    ...(has.audio || edited?.audio ? (["audio"] as const) : []),
    ...(has.translation || edited?.translation ? (["translation"] as const) : []),
    "download" as const,
  ];
  return (
    <fieldset className={entries.choices}>
      <legend>{t("form.shows")}</legend>
      {offered.map((what) => (
        <label key={what} className={entries.choice}>
          <input type="checkbox" name={what} defaultChecked={edited?.[what] ?? false} />
          <span>{t(`form.${what}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

const passphraseFlaws = ["shortPassphrase", "longPassphrase", "blankPassphrase", "passwordCommon"];

function PassphraseField({ edited, failure }: { edited: SharedLink | null; failure: string | null }) {
  const { t } = useTranslation("sharing");
  const flaw = failure !== null && passphraseFlaws.includes(failure) ? failure : null;
  return (
    <>
      <TextField
        name="passphrase"
        type="password"
        label={t("form.passphrase")}
        hint={t(edited?.locked ? "form.passphraseKept" : "form.passphraseHint")}
        error={flaw === null ? undefined : t(`failure.${flaw}`, { count: minPasswordLength })}
        autoComplete="new-password"
      />
      {edited?.locked ? (
        <label className={entries.choice}>
          <input type="checkbox" name="unlocked" />
          <span>{t("form.unlocked")}</span>
        </label>
      ) : null}
    </>
  );
}

const elsewhere = ["pastEnd", ...passphraseFlaws];
const explained = ["badRequest", "tooManyAtOnce", "tooManyRequests", "network"];

function Failure({ failure }: { failure: string | null }) {
  const { t } = useTranslation("sharing");
  if (failure === null || elsewhere.includes(failure)) return null;
  return <Notice tone="danger">{t(`failure.${explained.includes(failure) ? failure : "other"}`)}</Notice>;
}
