import { useTranslation } from "react-i18next";
import { offeredSpeakers, type SpeechOption } from "#contract/index.ts";
import type { Details } from "#machines/uploads/config.ts";
import { AreaField, CheckField } from "#src/ui/area-field.tsx";
import { Options, SelectField, TextField } from "#src/ui/field.tsx";

interface ConfigFieldsProps {
  config: Details;
  /** The engine's features for the chosen language; undefined when there is no engine. */
  option: SpeechOption | undefined;
  /** The number of chosen files. */
  count: number;
  /** Whether this server can distinguish a given number of speakers. */
  diarizes: boolean;
  onChange(config: Details): void;
}

/** The options besides the languages, as far as the engine supports them. */
export function ConfigFields({ config, option, count, diarizes, onChange }: ConfigFieldsProps) {
  const { t } = useTranslation("uploads");
  const canTellApart = option?.speakers === true;
  const canListen = option?.vocabulary === true;
  return (
    <>
      <TextField
        label={t("config.titleField")}
        hint={t(count > 1 ? "config.titleMany" : "config.titleHint")}
        value={count > 1 ? "" : config.title}
        disabled={count > 1}
        maxLength={300}
        name="title"
        onChange={(event) => onChange({ ...config, title: event.target.value })}
      />
      {canTellApart ? (
        <CheckField
          label={t("config.speakers")}
          hint={t("config.speakersHint")}
          name="speakers"
          checked={config.speakers}
          onChange={(event) => onChange({ ...config, speakers: event.target.checked })}
        />
      ) : null}
      {diarizes && canTellApart && config.speakers ? (
        <SelectField
          label={t("config.speakerCount")}
          name="speakerCount"
          value={config.speakerCount ?? ""}
          onChange={({ target: { value } }) => onChange({ ...config, speakerCount: value === "" ? undefined : Number(value) })}
        >
          <option value="">{t("config.speakerCountUnknown")}</option>
          <Options of={offeredSpeakers.map((number) => [number, number])} />
        </SelectField>
      ) : null}
      <AreaField
        label={t("config.vocabulary")}
        hint={t(canListen ? "config.vocabularyHint" : "config.vocabularyNot")}
        name="vocabulary"
        rows={3}
        maxLength={2000}
        value={config.vocabulary}
        onChange={(event) => onChange({ ...config, vocabulary: event.target.value })}
      />
    </>
  );
}
