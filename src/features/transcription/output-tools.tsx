import { useSelector } from "@xstate/react";
import { useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { exportFormats, plainTextOf, type Segment, shownOf, type Transcription } from "#contract/index.ts";
import { lookOf } from "#machines/exports/rules.ts";
import { selectIsExporting } from "#machines/transcription/output.ts";
import { exportChoice } from "#src/features/exports/choice.ts";
import { ExportDialog } from "#src/features/exports/lazy.ts";
import { languageName } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { Menu } from "#src/ui/menu.tsx";
import type { OpenTranscription } from "./actor.ts";
import { transcriptPreferences } from "./preferences.ts";
import { useSpeakerName } from "./speaker.tsx";
import styles from "./transcript.module.css";

interface OutputToolsProps {
  output: OpenTranscription["output"];
  transcription: Transcription;
  exportable: boolean;
}

const hasViewsOf = ({ targetLanguage, segments }: Transcription): boolean => targetLanguage !== null && segments.length > 0;

/** Copies the visible text: the original, its translation, or both. */
export function CopyButton({ output, transcription }: Omit<OutputToolsProps, "exportable">) {
  const { t, i18n } = useTranslation("app");
  const { view } = useSyncExternalStore(transcriptPreferences.subscribe, transcriptPreferences.get);
  const nameOf = useSpeakerName();
  const names = {
    speaker: ({ speaker }: Pick<Segment, "speaker">) => (speaker === undefined ? "" : nameOf(speaker)),
    language: (code: string) => languageName(code, i18n.language),
  };
  const content = hasViewsOf(transcription) ? view : "both";
  const copy = () => output.send({ type: "copy.requested", text: plainTextOf(shownOf(transcription, content), names) });
  return (
    <Button look="quiet" icon="copy" disabled={transcription.text === ""} onClick={copy}>
      {t("transcript.copy")}
    </Button>
  );
}

/** Exports the visible text. */
export function OutputTools({ output, transcription, exportable }: OutputToolsProps) {
  const { t } = useTranslation("app");
  const exporting = useSelector(output, selectIsExporting);
  const { view } = useSyncExternalStore(transcriptPreferences.subscribe, transcriptPreferences.get);
  const choice = useSyncExternalStore(exportChoice.subscribe, exportChoice.get);
  const [isChoosing, setIsChoosing] = useState(false);
  const hasViews = hasViewsOf(transcription);
  const content = hasViews ? view : "both";
  return (
    <>
      {exportable ? (
        <Menu label={t("transcript.export")} icon="download" iconOnly="onPhones" busy={exporting}>
          {hasViews ? <p className={`fine ${styles.exported}`}>{t(`transcript.view.${view}`)}</p> : null}
          {exportFormats.map((format) => (
            <Button
              key={format}
              look="quiet"
              onClick={() => output.send({ type: "export.requested", format, content, look: lookOf(choice, format) })}
            >
              {t(`transcript.formats.${format}`)}
            </Button>
          ))}
          <Button look="quiet" icon="settings" onClick={() => setIsChoosing(true)}>
            {t("transcript.exportOptions")}
          </Button>
          {transcription.hasAudio ? (
            <Button look="quiet" onClick={() => output.send({ type: "audio.requested" })}>
              {t("transcript.audioFile")}
            </Button>
          ) : (
            <span className={`fine ${styles.exported}`}>{t("transcript.audioGone")}</span>
          )}
        </Menu>
      ) : null}
      {isChoosing ? (
        <ExportDialog
          hasTranslation={hasViews}
          onWanted={(wanted) => output.send({ type: "export.requested", ...wanted })}
          onClose={() => setIsChoosing(false)}
        />
      ) : null}
    </>
  );
}
