import { useSelector } from "@xstate/react";
import { type ReactNode, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import {
  fastest,
  selectDuration,
  selectHasFailed,
  selectIsPlaying,
  selectIsPreparing,
  selectRate,
  slowest,
} from "#machines/transcription/player.ts";
import { isMac, keyShortcut, withOurs } from "#src/features/shortcuts/keys.ts";
import { clock, number } from "#src/i18n/format.ts";
import { IconButton } from "#src/ui/button.tsx";
import { Options } from "#src/ui/field.tsx";
import { playOrPause, skipSeconds } from "./keyboard.ts";
import type { Player } from "./player.ts";
import styles from "./player-bar.module.css";

const rates = Array.from(
  { length: Math.round((fastest - slowest) * 10) + 1 },
  (_, step) => (Math.round(slowest * 10) + step) / 10,
);

interface PlayerBarProps {
  player: Player;
  /** The transcription's length, used until the media element knows the actual one. */
  durationSeconds: number | null;
  /** The waveform. The slider lies over it. */
  children?: ReactNode;
}

export function PlayerBar({ player, durationSeconds, children }: PlayerBarProps) {
  const { t } = useTranslation("app");
  const { actor } = player;
  const playing = useSelector(actor, selectIsPlaying);
  const preparing = useSelector(actor, selectIsPreparing);
  const failed = useSelector(actor, selectHasFailed);
  const mac = isMac();
  const button = (label: string, letter: string) => ({
    label,
    title: `${label} (${withOurs(letter, mac)})`,
    "aria-keyshortcuts": keyShortcut(letter, mac),
  });
  return (
    <section className={styles.bar} aria-label={t("player.label")} data-covers-bottom>
      <IconButton
        {...button(t(playing ? "player.pause" : "player.play"), "K")}
        icon={playing ? "pause" : "play"}
        aria-busy={preparing || undefined}
        onClick={() => playOrPause(player)}
      />
      <IconButton
        {...button(t("player.back", { count: skipSeconds }), "J")}
        icon="back"
        onClick={() => actor.send({ type: "skip.requested", seconds: -skipSeconds })}
      />
      <IconButton
        {...button(t("player.forward", { count: skipSeconds }), "L")}
        icon="forward"
        onClick={() => actor.send({ type: "skip.requested", seconds: skipSeconds })}
      />
      <Position player={player} durationSeconds={durationSeconds}>
        {children}
      </Position>
      <Rate actor={actor} />
      {failed ? (
        <p className={styles.problem} role="alert">
          {t("player.failed")}
        </p>
      ) : null}
    </section>
  );
}

/** Separate, because it is the only part that renders during playback. */
function Position({ player: { actor, position }, durationSeconds, children }: PlayerBarProps) {
  const { t } = useTranslation("app");
  const duration = useSelector(actor, selectDuration) ?? durationSeconds ?? 0;
  // Rounded to tenths, so that the slider does not render for every frame.
  const at = useSyncExternalStore(position.subscribe, () => Math.round(position.get() * 10) / 10);
  const seek = (seconds: number) =>
    actor.send({ type: "seek.requested", seconds: Math.min(Math.max(0, seconds), duration || seconds) });
  return (
    <>
      <div className={styles.track}>
        {children}
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
      </div>
      <span className={`fine digits ${styles.time}`}>
        {clock(at)}
        <span> / {clock(duration)}</span>
      </span>
    </>
  );
}

function Rate({ actor }: Pick<Player, "actor">) {
  const { t, i18n } = useTranslation("app");
  const rate = useSelector(actor, selectRate);
  const mac = isMac();
  return (
    <select
      className={styles.rate}
      aria-label={t("player.rate")}
      title={`${withOurs(",", mac)}, ${withOurs(".", mac)}`}
      value={rate}
      onChange={(event) => actor.send({ type: "rate.changed", rate: Number(event.target.value) })}
    >
      <Options of={rates.map((value) => [value, `${number(value, i18n.language)}×`])} />
    </select>
  );
}
