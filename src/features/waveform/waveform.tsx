import { useSelector } from "@xstate/react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import {
  selectCanZoomIn,
  selectCanZoomOut,
  selectIsLoopBegun,
  selectIsLooping,
  selectIsSkipping,
  selectIsThere,
  selectLength,
  selectLoop,
  selectShown,
  selectSilentSeconds,
} from "#machines/waveform/selectors.ts";
import { clock } from "#src/i18n/format.ts";
import { Button, buttonClass, IconButton } from "#src/ui/button.tsx";
import { type OpenWaveform, openWaveform } from "./actor.ts";
import { drawWaveform, type Shown } from "./drawing.ts";
import { hearPointer, hearZoomKeys } from "./pointing.ts";
import type { TrackedSound } from "./sound.ts";
import styles from "./waveform.module.css";

interface WaveformProps {
  id: string;
  sound: TrackedSound;
  /** Receives a function to call when the user leaves the transcript's page. */
  onLeave(left: () => void): void;
}

/** A recording's waveform with its controls. Renders nothing while there is nothing to draw. */
export function Waveform({ id, sound, onLeave }: WaveformProps) {
  const open = openWaveform(id, onLeave, sound);
  return useSelector(open.actor, selectIsThere) ? <Drawn open={open} /> : null;
}

function Drawn({ open }: { open: OpenWaveform }) {
  const attach = useCallback((surface: HTMLDivElement | null) => (surface === null ? undefined : draw(open, surface)), [open]);
  return (
    <div className={styles.waveform}>
      {/* For the pointer only. The slider below does the same for the keyboard and screen readers. */}
      <div className={styles.surface} ref={attach} aria-hidden="true">
        <span className={styles.loop} />
        <canvas className={styles.rest} />
        <canvas className={styles.played} />
        <span className={styles.head} />
      </div>
      <Tools open={open} />
    </div>
  );
}

/** Draws into the elements above, and handles their events. @returns the cleanup */
function draw(open: OpenWaveform, surface: HTMLDivElement): (() => void) | undefined {
  const [rest, played] = surface.querySelectorAll("canvas");
  const [loop, head] = surface.querySelectorAll("span");
  if (rest === undefined || played === undefined || loop === undefined || head === undefined) return undefined;
  let shown: Shown = { offset: 0, seconds: 0 };
  const ends = [
    drawWaveform(open, { rest, played, loop, head }, (next) => {
      shown = next;
    }),
    hearPointer(open, surface, () => shown),
    hearZoomKeys(open, surface),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function Tools({ open: { actor, sound } }: { open: OpenWaveform }) {
  const { t } = useTranslation("waveform");
  const [canZoomIn, canZoomOut] = [useSelector(actor, selectCanZoomIn), useSelector(actor, selectCanZoomOut)];
  const [begun, looping] = [useSelector(actor, selectIsLoopBegun), useSelector(actor, selectIsLooping)];
  const skipping = useSelector(actor, selectIsSkipping);
  const silent = useSelector(actor, selectSilentSeconds) > 0;
  const here = () => sound.position.get();
  const unless = (is: boolean) => ({ "aria-disabled": is ? undefined : true });
  return (
    <div className={styles.tools}>
      <IconButton
        icon="minus"
        label={t("zoomOut")}
        aria-keyshortcuts="-"
        {...unless(canZoomOut)}
        onClick={() => actor.send({ type: "zoom.stepped", steps: -1 })}
      />
      <IconButton
        icon="plus"
        label={t("zoomIn")}
        aria-keyshortcuts="+"
        {...unless(canZoomIn)}
        onClick={() => actor.send({ type: "zoom.stepped", steps: 1 })}
      />
      <LoopButton
        label={t("loopFrom")}
        title={t("loopFromHint")}
        path={fromHere}
        onClick={() => actor.send({ type: "loop.begun", seconds: here() })}
      />
      <LoopButton
        label={t("loopTo")}
        title={t("loopTo")}
        path={toHere}
        {...unless(begun || looping)}
        onClick={() => actor.send({ type: "loop.ended", seconds: here() })}
      />
      <IconButton
        icon="close"
        label={t("loopClear")}
        {...unless(begun || looping)}
        onClick={() => actor.send({ type: "loop.cleared" })}
      />
      {silent ? (
        <Button
          className={styles.text}
          look="quiet"
          aria-pressed={skipping}
          onClick={() => actor.send({ type: "skipping.toggled" })}
        >
          {t("skip")}
        </Button>
      ) : null}
      <State actor={actor} />
    </div>
  );
}

/** Drawn on the grid of the other icons, but loaded with the waveform instead of the first visit. */
const fromHere = "M9 5H6v14h3M11 12h8m-3-3 3 3-3 3";
const toHere = "M15 5h3v14h-3M5 12h8m-3-3 3 3-3 3";

function LoopButton({ label, path, ...rest }: { label: string; title: string; path: string; onClick(): void }) {
  return (
    <button type="button" className={buttonClass("quiet", true)} aria-label={label} {...rest}>
      <svg
        className={styles.icon}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        aria-hidden="true"
        focusable="false"
      >
        <path d={path} />
      </svg>
    </button>
  );
}

/** Says in words which part is looped, skipped, or visible. */
function State({ actor }: Pick<OpenWaveform, "actor">) {
  const { t } = useTranslation("waveform");
  const [begun, looping] = [useSelector(actor, selectIsLoopBegun), useSelector(actor, selectIsLooping)];
  const loop = useSelector(actor, selectLoop);
  const skipping = useSelector(actor, selectIsSkipping);
  const [silent, shown, length] = [
    useSelector(actor, selectSilentSeconds),
    useSelector(actor, selectShown),
    useSelector(actor, selectLength),
  ];
  const [start, end] = [clock(loop?.start ?? 0), clock(loop?.end ?? 0)];
  const said = [
    begun ? t("begun", { start }) : "",
    looping ? t("looping", { start, end }) : "",
    skipping ? t("skipping", { time: clock(silent) }) : "",
    shown < length ? t("shown", { shown: clock(shown), length: clock(length) }) : "",
  ];
  return (
    <p className={`fine digits ${styles.state}`} role="status">
      {said.filter((text) => text !== "").join(" ")}
    </p>
  );
}
