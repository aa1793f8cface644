import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Segment } from "#contract/index.ts";
import { selectHasFailed, selectIsPlaying, selectIsPreparing } from "#machines/transcription/player.ts";
import { indexAt } from "#src/audio/position.ts";
import { clock } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { openDemonstration } from "./demonstration.ts";
import styles from "./landing.module.css";

/** Plays the recording from its beginning. */
export function startDemonstration(): void {
  openDemonstration().actor.send({ type: "seek.requested", seconds: 0, play: true });
}

// `@public`: knip does not see what specimen.tsx takes of a module that it imports when play is pressed.

/** The recording with live captions: each word as it is spoken, each translation after its sentence. @public */
export function LiveLines() {
  const { segments } = openDemonstration();
  const lines = useSyncExternalStore(segments.subscribe, segments.get);
  return (
    <ol>
      {lines.map((segment) => (
        <Line key={segment.start} segment={segment} />
      ))}
    </ol>
  );
}

function Line({ segment }: { segment: Segment }) {
  const { position } = openDemonstration();
  const heard = useSyncExternalStore(position.subscribe, () => indexAt(segment.words, position.get()));
  const over = useSyncExternalStore(position.subscribe, () => position.get() >= segment.end);
  return (
    <li className={heard < 0 ? styles.unheard : undefined}>
      <span className={styles.time}>{clock(segment.start)}</span>
      <p lang="en">
        {segment.words.map((word, index) => (
          <span key={word.start} className={index > heard ? styles.unheard : index === heard && !over ? styles.now : undefined}>
            {word.text}{" "}
          </span>
        ))}
      </p>
      <p lang="es" className={`${styles.meant} ${over ? "" : styles.unheard}`}>
        {segment.translation}
      </p>
    </li>
  );
}

/** Starts, stops and restarts. @public */
export function LiveControls() {
  const { t } = useTranslation();
  const { actor } = openDemonstration();
  const playing = useSelector(actor, selectIsPlaying);
  const preparing = useSelector(actor, selectIsPreparing);
  const failed = useSelector(actor, selectHasFailed);
  return (
    <>
      <Button
        icon={playing ? "pause" : "play"}
        busy={preparing}
        autoFocus
        onClick={playing ? () => actor.send({ type: "pause.requested" }) : startDemonstration}
      >
        {t(playing ? "landing.demo.stop" : "landing.demo.again")}
      </Button>
      {failed ? <p role="alert">{t("landing.demo.failed")}</p> : null}
    </>
  );
}
