import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { isReworked, offeredSpeakers, type Segment, type Transcription, talkTimes } from "#contract/index.ts";
import { clock, percent } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { Menu } from "#src/ui/menu.tsx";
import { speakerColours } from "#src/ui/speaker-colours.ts";
import type { OpenTranscription } from "./actor.ts";
import { useSpeakerName } from "./speaker.tsx";
import styles from "./speakers.module.css";

/** Identifies the speakers, automatically or for a given number of people. */
export function WhoSpoke({ actor, transcription }: { actor: OpenTranscription["actor"]; transcription: Transcription }) {
  const { t } = useTranslation("app");
  const ask = (speakers: number | null) => actor.send({ type: "diarization.requested", speakers });
  return (
    <Menu label={t("transcript.speakers.who")} icon="users" busy={isReworked(transcription)}>
      <Button look="quiet" onClick={() => ask(null)}>
        {t("transcript.speakers.findOut")}
      </Button>
      {offeredSpeakers.map((number) => (
        <Button key={number} look="quiet" onClick={() => ask(number)}>
          {t("transcript.speakers.people", { number })}
        </Button>
      ))}
    </Menu>
  );
}

/** How long each speaker talks, if there are several. */
export function TalkTimes({ segments }: { segments: readonly Segment[] }) {
  const { t, i18n } = useTranslation("app");
  const nameOf = useSpeakerName();
  const times = useMemo(() => talkTimes(segments), [segments]);
  const colours = useMemo(() => speakerColours(segments), [segments]);
  const total = times.reduce((sum, { seconds }) => sum + seconds, 0);
  if (times.length < 2 || total === 0) return null;
  return (
    <ul className={styles.times} aria-label={t("transcript.speakers.talkTime")}>
      {times.map(({ speaker, seconds }) => (
        <li key={speaker} className={`${styles.time} ${colours.get(speaker) ?? ""}`}>
          <span className={`strong cut ${styles.name}`}>{nameOf(speaker)}</span>
          <span>
            {clock(seconds)} · {percent(seconds / total, i18n.language)}
          </span>
          <meter className={styles.share} min={0} max={1} value={seconds / total} aria-hidden="true" />
        </li>
      ))}
    </ul>
  );
}
