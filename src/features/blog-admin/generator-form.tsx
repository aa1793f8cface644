import { useSelector } from "@xstate/react";
import type { SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { maxAudience, maxTopic, postLengths, tones, wordsOf } from "#contract/blog-admin.ts";
import { builtInLanguages } from "#contract/built-in-languages.ts";
import type { GeneratorMode } from "#contract/index.ts";
import { interfaceLanguages } from "#contract/interface-languages.ts";
import {
  selectForm,
  selectIsAvailable,
  selectIsBusy,
  selectIsTopicMissing,
  selectMode,
  selectPhase,
} from "#machines/blog-admin/generator/selectors.ts";
import { byName, languageName, number } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { ChoiceField, SelectField, TextArea, TextField } from "#src/ui/field.tsx";
import styles from "./generator.module.css";
import type { Generator } from "./generator-actor.ts";

interface FormProps {
  generator: Generator;
}

/** The parameters of a generation. Disabled while it runs. */
export function GeneratorForm({ generator }: FormProps) {
  const { t } = useTranslation("blog-admin-generator");
  const busy = useSelector(generator, selectIsBusy);
  const available = useSelector(generator, selectIsAvailable);
  const mode = useSelector(generator, selectMode);
  const writes = useSelector(generator, selectPhase) === "generating";
  const begin = (wanted: GeneratorMode) => generator.send({ type: "generate.requested", mode: wanted });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || !available) return;
    begin("topic");
    const field = event.currentTarget.elements.namedItem("topic");
    if (selectIsTopicMissing(generator.getSnapshot()) && field instanceof HTMLElement) field.focus();
  };
  return (
    <form className="card pad-5 stack gap-4" aria-label={t("form.label")} noValidate onSubmit={submit}>
      <fieldset className={`stack gap-4 ${styles.fields}`} disabled={busy}>
        <Fields generator={generator} />
      </fieldset>
      <div className="row">
        <Button
          type="submit"
          look="primary"
          icon="edit"
          busy={writes && mode === "topic"}
          disabled={!available || (busy && !(writes && mode === "topic"))}
        >
          {t("form.generate")}
        </Button>
        <Button
          icon="sparkle"
          busy={writes && mode === "surprise"}
          disabled={!available || (busy && !(writes && mode === "surprise"))}
          onClick={() => begin("surprise")}
        >
          {t("form.surprise")}
        </Button>
      </div>
    </form>
  );
}

function Fields({ generator }: FormProps) {
  const { t, i18n } = useTranslation("blog-admin-generator");
  const form = useSelector(generator, selectForm);
  const missing = useSelector(generator, selectIsTopicMissing);
  const change = (changed: Partial<typeof form>) => generator.send({ type: "form.changed", change: changed });
  return (
    <>
      <TextArea
        name="topic"
        rows={2}
        label={t("form.topic")}
        hint={t("form.topicHint", { most: maxTopic })}
        error={missing ? t("form.topicNeeded") : undefined}
        maxLength={maxTopic}
        value={form.topic}
        onChange={(event) => change({ topic: event.target.value })}
      />
      <div className={`columns ${styles.choices}`}>
        <ChoiceField
          label={t("form.tone")}
          value={form.tone}
          values={tones}
          textOf={(tone) => t(`tones.${tone}`)}
          onChoose={(tone) => change({ tone })}
        />
        <ChoiceField
          label={t("form.length")}
          value={form.length}
          values={postLengths}
          textOf={(length) => t(`lengths.${length}`, { words: number(wordsOf[length], i18n.language) })}
          onChoose={(length) => change({ length })}
        />
        <SelectField
          label={t("form.language")}
          value={form.language}
          onChange={({ target }) => change({ language: target.value })}
        >
          <Languages locale={i18n.language} />
        </SelectField>
        <TextField
          label={t("form.audience")}
          maxLength={maxAudience}
          value={form.audience}
          onChange={(event) => change({ audience: event.target.value })}
        />
      </div>
    </>
  );
}

const own: readonly string[] = interfaceLanguages.map(({ code }) => code);
const others = builtInLanguages.map(({ code }) => code).filter((code) => !own.includes(code));

/** The language choices: the interface languages first, then all other known languages. */
function Languages({ locale }: { locale: string }) {
  const { t } = useTranslation("blog-admin-generator");
  const groups = [
    { label: t("form.ownLanguages"), codes: own },
    { label: t("form.otherLanguages"), codes: others },
  ];
  return groups.map(({ label, codes }) => (
    <optgroup key={label} label={label}>
      {byName(codes, locale).map((code) => (
        <option key={code} value={code}>
          {languageName(code, locale)}
        </option>
      ))}
    </optgroup>
  ));
}
