import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { type AudioTrack, defaultTrack } from "#contract/index.ts";
import type { ChosenFile } from "#machines/uploads/config.ts";
import { useTrackOptions } from "#src/features/engines/track-options.ts";
import { bytes } from "#src/i18n/format.ts";
import { IconButton } from "#src/ui/button.tsx";
import { Options, SelectField } from "#src/ui/field.tsx";
import styles from "./files.module.css";

interface ChosenProps {
  files: readonly ChosenFile[];
  onRemove(id: string): void;
  onTrack(id: string, track: number): void;
}

/** The files to upload. The first one replaces the text that there are none, so that nothing below moves. */
export function Chosen({ files, onRemove, onTrack }: ChosenProps) {
  const { t, i18n } = useTranslation("uploads");
  const list = useRef<HTMLUListElement>(null);
  return (
    <>
      <p role="status" className="visuallyHidden">
        {files.length === 0 ? "" : t("config.chosen", { count: files.length })}
      </p>
      {files.length === 0 ? (
        <p className={styles.noneChosen}>{t("config.noneChosen")}</p>
      ) : (
        <ul ref={list} tabIndex={-1} className={styles.chosen} aria-label={t("config.chosenLabel")} data-testid="chosen">
          {files.map((file) => (
            <li key={file.id}>
              <bdi>{file.name}</bdi>
              <span className="fine digits">{bytes(file.size, i18n.language)}</span>
              <IconButton
                icon="close"
                label={t("config.remove", { name: file.name })}
                onClick={() => {
                  list.current?.focus();
                  onRemove(file.id);
                }}
              />
              {file.tracks === undefined ? null : (
                <TrackChoice file={file} tracks={file.tracks} onTrack={(track) => onTrack(file.id, track)} />
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface TrackChoiceProps {
  file: ChosenFile;
  tracks: readonly AudioTrack[];
  onTrack(track: number): void;
}

/** Chooses which of a file's sound tracks is transcribed. */
function TrackChoice({ file: { name, track }, tracks, onTrack }: TrackChoiceProps) {
  const { t } = useTranslation("app");
  return (
    <div className={styles.track}>
      <SelectField
        chip
        label={t("soundTrack.label")}
        aria-label={t("soundTrack.of", { name })}
        value={track ?? defaultTrack(tracks)}
        onChange={({ target: { value } }) => onTrack(Number(value))}
      >
        <Options of={useTrackOptions(tracks)} />
      </SelectField>
    </div>
  );
}
