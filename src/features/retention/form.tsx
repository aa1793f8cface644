import { useSelector } from "@xstate/react";
import { type FormEvent, useCallback } from "react";
import { useTranslation } from "react-i18next";
import { type RetentionForecast, type RetentionRule, trashDays } from "#contract/index.ts";
import {
  type RetentionDays,
  selectCanRetry,
  selectCanSave,
  selectDays,
  selectFailure,
  selectIsSaving,
  selectPreview,
} from "#machines/retention/machine.ts";
import { date } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { Options, SelectField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { closeRetention, openRetention, type Retention } from "./actor.ts";
import styles from "./retention.module.css";

interface RetentionFormProps {
  /** Null: transcripts without a folder. */
  folderId: string | null;
  /** The folder's name. */
  name: string;
  /** @param saved the new rule; absent when the user cancelled */
  onDone(saved?: RetentionRule): void;
}

/** How long the audio and text of a folder's transcripts are kept, and what that deletes when. */
export function RetentionForm({ folderId, name, onDone }: RetentionFormProps) {
  const { t } = useTranslation("retention");
  const retention = openRetention(folderId);
  const days = useSelector(retention, selectDays);
  const canSave = useSelector(retention, selectCanSave);
  const saving = useSelector(retention, selectIsSaving);
  const listen = useCallback(
    (form: HTMLFormElement | null) => {
      if (form === null) return undefined;
      form.querySelector("h3")?.focus();
      const saved = retention.on("rule.saved", ({ rule }) => onDone(rule));
      return () => {
        saved.unsubscribe();
        closeRetention();
      };
    },
    [retention, onDone],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    retention.send({ type: "save.requested" });
  };
  return (
    <form ref={listen} className={`stack gap-4 ${styles.form}`} onSubmit={submit}>
      <h3 tabIndex={-1}>{folderId === null ? t("titleNone") : t("title", { name })}</h3>
      {days === null ? null : <Choices retention={retention} days={days} />}
      <Failure retention={retention} />
      <Preview retention={retention} />
      <div className="row at-end">
        <Button look="quiet" onClick={() => onDone()}>
          {t("cancel")}
        </Button>
        <Button type="submit" look="primary" busy={saving} aria-disabled={!canSave || undefined}>
          {t("save")}
        </Button>
      </div>
    </form>
  );
}

/** Offered numbers of days. A different value, set by a program, is offered too. */
const offered = [1, 7, 30, 90, 180, 365, 730];

function Choices({ retention, days }: { retention: Retention; days: RetentionDays }) {
  const { t, i18n } = useTranslation("retention");
  const format = new Intl.NumberFormat(i18n.language, { style: "unit", unit: "day", unitDisplay: "long" });
  return (["audioDays", "textDays"] as const).map((which) => {
    const known = days[which];
    const choices = known === null || offered.includes(known) ? offered : [...offered, known].sort((a, b) => a - b);
    return (
      <SelectField
        key={which}
        name={which}
        label={t(which)}
        value={known ?? ""}
        onChange={({ target: { value } }) =>
          retention.send({ type: "days.changed", days: { ...days, [which]: value === "" ? null : Number(value) } })
        }
      >
        <option value="">{t("forEver")}</option>
        <Options of={choices.map((count) => [count, t("after", { days: format.format(count) })])} />
      </SelectField>
    );
  });
}

/** The transcripts that the rule would delete, and when. Announced whenever it changes. */
function Preview({ retention }: { retention: Retention }) {
  const { t, i18n } = useTranslation("retention");
  const preview = useSelector(retention, selectPreview);
  const days = useSelector(retention, selectDays);
  const lineOf = (what: "audio" | "text", { soon, next }: RetentionForecast) =>
    [
      ...(soon > 0 ? [t(`soon.${what}`, { count: soon })] : []),
      ...(next === null ? [] : [t(`next.${what}`, { date: date(next, i18n.language) })]),
      ...(soon === 0 && next === null ? [t(`nothing.${what}`)] : []),
    ].join(" ");
  return (
    <div className="stack roomless gap-2 note" role="status">
      {preview !== null && days?.audioDays != null ? <p>{lineOf("audio", preview.audio)}</p> : null}
      {preview !== null && days?.textDays != null ? (
        <p>
          {lineOf("text", preview.text)} {t("trash", { count: trashDays })}
        </p>
      ) : null}
      {preview !== null && days?.audioDays == null && days?.textDays == null ? <p>{t("keepsAll")}</p> : null}
    </div>
  );
}

function Failure({ retention }: { retention: Retention }) {
  const { t } = useTranslation("retention");
  const failure = useSelector(retention, selectFailure);
  const canRetry = useSelector(retention, selectCanRetry);
  if (failure === null) return null;
  if (!canRetry) return <Notice tone="danger">{t(`translation:errors.${failure}`)}</Notice>;
  return (
    <RetryNotice label={t("retry")} onRetry={() => retention.send({ type: "reload.requested" })}>
      {t(`translation:errors.${failure}`)}
    </RetryNotice>
  );
}
