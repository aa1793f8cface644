import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { ActorRefFrom } from "xstate";
import {
  type playerMachine,
  selectDuration,
  selectHasFailed,
  selectIsPlaying,
  selectIsPreparing,
  selectRate,
} from "../../../machines/player.ts";
import type { PositionStore } from "../../audio/position.ts";
import { clock } from "../../i18n/format.ts";
import { IconButton } from "../../ui/button.tsx";
import styles from "./player-bar.module.css";

const rates = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;
/** How far "back" and "forward" go, in seconds: enough to hear a word again. */
const stepSeconds = 3;

interface PlayerBarProps {
  player: ActorRefFrom<typeof playerMachine>;
  position: PositionStore;
  /** What the transcription says its length is, until the element knows better. */
  durationSeconds: number | null;
}

export function PlayerBar({ player, position, durationSeconds }: PlayerBarProps) {
  const { t, i18n } = useTranslation("app");
  const playing = useSelector(player, selectIsPlaying);
  const preparing = useSelector(player, selectIsPreparing);
  const failed = useSelector(player, selectHasFailed);
  const rate = useSelector(player, selectRate);
  const duration = useSelector(player, selectDuration) ?? durationSeconds ?? 0;
  // Whole tenths: the slider need not be drawn anew for every frame.
  const at = useSyncExternalStore(position.subscribe, () => Math.round(position.get() * 10) / 10);
  const seek = (seconds: number) =>
    player.send({ type: "seek.requested", seconds: Math.min(Math.max(0, seconds), duration || seconds) });
  return (
    <section className={styles.bar} aria-label={t("player.label")}>
      <IconButton
        icon={playing ? "pause" : "play"}
        label={t(playing ? "player.pause" : "player.play")}
        aria-busy={preparing || undefined}
        onClick={() => player.send({ type: playing ? "pause.requested" : "play.requested" })}
      />
      <IconButton icon="back" label={t("player.back", { count: stepSeconds })} onClick={() => seek(at - stepSeconds)} />
      <IconButton icon="forward" label={t("player.forward", { count: stepSeconds })} onClick={() => seek(at + stepSeconds)} />
      <input
        type="range"
        className={styles.slider}
        aria-label={t("player.position")}
        aria-valuetext={t("player.positionText", { at: clock(at), duration: clock(duration) })}
        min={0}
        max={Math.max(duration, 0.1)}
        step={0.1}
        value={Math.min(at, Math.max(duration, 0.1))}
        onChange={(event) => seek(Number(event.target.value))}
      />
      <span className={styles.time}>
        {clock(at)} / {clock(duration)}
      </span>
      <select
        className={styles.rate}
        aria-label={t("player.rate")}
        value={rate}
        onChange={(event) => player.send({ type: "rate.changed", rate: Number(event.target.value) })}
      >
        {rates.map((value) => (
          <option key={value} value={value}>
            {new Intl.NumberFormat(i18n.language).format(value)}×
          </option>
        ))}
      </select>
      {failed ? (
        <p className={styles.problem} role="alert">
          {t("player.failed")}
        </p>
      ) : null}
    </section>
  );
}
