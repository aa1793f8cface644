import { useState } from "react";
import { useTranslation } from "react-i18next";
import { is } from "valibot";
import { type AudioTrack, type EnginesAnswer, SpeechLanguage, type Transcription, trackLanguage } from "#contract/index.ts";
import { offeredLanguages } from "#src/features/engines/choosable-languages.ts";
import { useTrackOptions } from "#src/features/engines/track-options.ts";
import { languageName } from "#src/i18n/format.ts";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { Options, SelectField } from "#src/ui/field.tsx";
import type { OpenTranscription } from "./actor.ts";
import { MenuQuestion } from "./menu-question.tsx";

interface OtherTrackProps extends Pick<OpenTranscription, "actor"> {
  engines: EnginesAnswer;
  transcription: Transcription;
  tracks: readonly AudioTrack[];
}

/** Recognizes another sound track after a confirmation. Its text replaces the current one. */
export function OtherTrack(props: OtherTrackProps) {
  const { t } = useTranslation("app");
  return (
    <MenuQuestion icon="volume" label={t("transcript.otherTrack.action")}>
      {(close) => <Question {...props} onCancel={close} />}
    </MenuQuestion>
  );
}

function Question({ actor, engines, transcription, tracks, onCancel }: OtherTrackProps & { onCancel(): void }) {
  const { t, i18n } = useTranslation("app");
  const { track: heard = 1, sourceLanguage } = transcription;
  const options = useTrackOptions(tracks);
  const [track, setTrack] = useState(heard === 1 ? 2 : 1);
  const [chosen, setChosen] = useState<string>();
  const languages = offeredLanguages(engines).flatMap(({ code, available }) => (available ? [code] : []));
  const said = tracks[track - 1];
  const spoken = [chosen, said && trackLanguage(said), sourceLanguage].find((code) => languages.some((known) => known === code));
  const language = is(SpeechLanguage, spoken) ? spoken : languages[0];
  return (
    <ConfirmDialog
      title={t("transcript.otherTrack.title")}
      text={t("transcript.otherTrack.text")}
      confirmLabel={t("transcript.otherTrack.yes")}
      cancelLabel={t("transcript.otherTrack.no")}
      icon="retry"
      onConfirm={() => language && actor.send({ type: "track.requested", track, sourceLanguage: language })}
      onCancel={onCancel}
    >
      <SelectField label={t("soundTrack.label")} value={track} onChange={({ target: { value } }) => setTrack(Number(value))}>
        {options.map(([number, name]) => (
          <option key={number} value={number} disabled={number === heard}>
            {number === heard ? t("transcript.otherTrack.current", { track: name }) : name}
          </option>
        ))}
      </SelectField>
      {languages.length < 2 ? null : (
        <SelectField label={t("languages.spoken")} value={language} onChange={({ target: { value } }) => setChosen(value)}>
          <Options
            of={languages.map((code) => [code, code === "auto" ? t("languages.auto") : languageName(code, i18n.language)])}
          />
        </SelectField>
      )}
    </ConfirmDialog>
  );
}
