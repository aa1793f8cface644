import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { createActor, fromPromise, sendTo } from "xstate";
import { Segment } from "#contract/index.ts";
import {
  type PlayerCommand,
  playerMachine,
  selectHasFailed,
  selectIsPlaying,
  selectIsPreparing,
} from "#machines/transcription/player.ts";
import { createPositionStore, indexAt } from "#src/audio/position.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { audioElement } from "#src/features/transcription/audio-element.ts";
import type { Player } from "#src/features/transcription/player.ts";
import { clock } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import styles from "./landing.module.css";

/** Plays the recording from its beginning. */
export function startDemonstration(): void {
  openDemonstration().actor.send({ type: "seek.requested", seconds: 0, play: true });
}

// `@public`: knip does not see that landing.tsx imports this module dynamically when the visitor presses play.

/**
 * The recording with live captions: each word as it is spoken, each translation after its sentence.
 * @public
 */
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
      <span className={`fine digits ${styles.time}`}>{clock(segment.start)}</span>
      <p lang="en">
        {segment.words.map((word, index) => (
          <span key={word.start} className={index > heard ? styles.unheard : index === heard && !over ? styles.now : undefined}>
            {word.text}{" "}
          </span>
        ))}
      </p>
      <p lang="es" className={`soft size-2 ${styles.meant} ${over ? "" : styles.unheard}`}>
        {segment.translation}
      </p>
    </li>
  );
}

/**
 * The buttons that start, stop and restart the recording.
 * @public
 */
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

/** The output of scripts/demo.ts: the engines' result for the recording. */
const Answer = v.object({ segments: v.array(Segment) });

interface Demonstration extends Player {
  segments: ReadableStore<readonly Segment[]>;
}

let open: Demonstration | undefined;

/** The landing page's recording with its transcript. Created on demand. */
function openDemonstration(): Demonstration {
  open ??= createDemonstration();
  return open;
}

function createDemonstration(): Demonstration {
  const position = createPositionStore();
  const segments = createStore<readonly Segment[]>([]);
  const machine = playerMachine.provide({
    actors: {
      authorize: fromPromise(async ({ signal }) => segments.set(await loadSegments(signal))),
      element: audioElement({ url: "/demo/jfk.mp3", withCredentials: false }, position),
    },
    actions: { command: sendTo("element", (_, command: PlayerCommand) => command) },
  });
  return { actor: createActor(machine, inspected()).start(), position, segments };
}

/** @throws when the page's own file is missing */
async function loadSegments(signal: AbortSignal): Promise<readonly Segment[]> {
  const answer = await fetch("/demo/jfk.json", { signal });
  if (!answer.ok) throw new Error(`The demonstration's text can't be had: ${answer.status}`);
  return v.parse(Answer, await answer.json()).segments;
}
