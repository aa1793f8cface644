import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Transcription } from "#contract/index.ts";
import { indexAt } from "#src/audio/position.ts";
import type { Player } from "#src/features/transcription/player.ts";
import { clock } from "#src/i18n/format.ts";
import styles from "./vault.module.css";

/** A transcription's words with their times; clicking a time plays from there. */
export function VaultText({ text, player }: { text: Transcription; player: Player }) {
  const { t } = useTranslation("vault");
  const { segments } = text;
  const now = useSyncExternalStore(player.position.subscribe, () => indexAt(segments, player.position.get()));
  if (segments.length === 0) return <p className={styles.plain}>{text.text === "" ? t("text.empty") : text.text}</p>;
  return (
    <ol className={styles.text} aria-label={t("text.title")}>
      {segments.map((segment, index) => (
        <li key={segment.start} className={index === now ? styles.now : ""} aria-current={index === now || undefined}>
          <button
            type="button"
            className={styles.time}
            aria-label={t("text.playFrom", { time: clock(segment.start) })}
            onClick={() => player.actor.send({ type: "seek.requested", seconds: segment.start, play: true })}
          >
            {clock(segment.start)}
          </button>
          <div>
            {segment.speaker === undefined ? null : <p className={styles.fine}>{segment.speaker}</p>}
            <p lang={segment.language ?? (text.sourceLanguage === "auto" ? undefined : text.sourceLanguage)}>{segment.text}</p>
            {segment.translation === undefined ? null : (
              <p className={styles.translation} lang={segment.translationLanguage ?? text.targetLanguage ?? undefined}>
                {segment.translation}
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
