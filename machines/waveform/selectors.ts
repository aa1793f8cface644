import type { SnapshotFrom } from "xstate";
import type { waveformMachine } from "./machine.ts";
import { maxZoom, type Stretch, shownSeconds } from "./rules.ts";

type Snapshot = SnapshotFrom<typeof waveformMachine>;

export const selectIsThere = (snapshot: Snapshot): boolean => snapshot.matches("there");
/** In seconds. */
export const selectLength = (snapshot: Snapshot): number => snapshot.context.outline.seconds;
/** How much of it is shown, in seconds. */
export const selectShown = ({ context }: Snapshot): number => shownSeconds(context.outline.seconds, context.zoom);
export const selectCanZoomIn = ({ context }: Snapshot): boolean => context.zoom < maxZoom(context.outline.seconds);
export const selectCanZoomOut = ({ context }: Snapshot): boolean => context.zoom > 0;
/** Where the view begins, if the person has chosen that (seconds); null while it follows what is played. */
export const selectOffset = (snapshot: Snapshot): number | null =>
  snapshot.matches({ there: { view: "held" } }) ? snapshot.context.offset : null;
export const selectIsLooping = (snapshot: Snapshot): boolean => snapshot.hasTag("looping");
/** The loop has a start, and no end. */
export const selectIsLoopBegun = (snapshot: Snapshot): boolean => snapshot.matches({ there: { loop: "begun" } });
/** What is repeated, or would be when the person lets go; only its start while it has no end; null without any. */
export const selectLoop = (snapshot: Snapshot): Stretch | null =>
  snapshot.matches({ there: { loop: "off" } }) || !selectIsThere(snapshot) ? null : snapshot.context.loop;
export const selectIsSkipping = (snapshot: Snapshot): boolean => snapshot.matches({ there: { silence: "skipped" } });
/** What can be skipped, in seconds. */
export const selectSilentSeconds = (snapshot: Snapshot): number => snapshot.context.outline.silentSeconds;
