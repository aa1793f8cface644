import type { SnapshotFrom } from "xstate";
import type { waveformMachine } from "./machine.ts";
import { maxZoom, type Stretch, shownSeconds } from "./rules.ts";

type Snapshot = SnapshotFrom<typeof waveformMachine>;

export const selectIsThere = (snapshot: Snapshot): boolean => snapshot.matches("there");
/** In seconds. */
export const selectLength = (snapshot: Snapshot): number => snapshot.context.outline.seconds;
/** The visible length in seconds. */
export const selectShown = ({ context }: Snapshot): number => shownSeconds(context.outline.seconds, context.zoom);
export const selectCanZoomIn = ({ context }: Snapshot): boolean => context.zoom < maxZoom(context.outline.seconds);
export const selectCanZoomOut = ({ context }: Snapshot): boolean => context.zoom > 0;
/** The beginning of the view that the person chose (seconds); null while the view follows playback. */
export const selectOffset = (snapshot: Snapshot): number | null =>
  snapshot.matches({ there: { view: "held" } }) ? snapshot.context.offset : null;
export const selectIsLooping = (snapshot: Snapshot): boolean => snapshot.hasTag("looping");
/** Whether the loop has a start but no end. */
export const selectIsLoopBegun = (snapshot: Snapshot): boolean => snapshot.matches({ there: { loop: "begun" } });
/** The loop, or the one being drawn; only its start while it has no end; null for none. */
export const selectLoop = (snapshot: Snapshot): Stretch | null =>
  snapshot.matches({ there: { loop: "off" } }) || !selectIsThere(snapshot) ? null : snapshot.context.loop;
export const selectIsSkipping = (snapshot: Snapshot): boolean => snapshot.matches({ there: { silence: "skipped" } });
/** Total length of the silences that can be skipped, in seconds. */
export const selectSilentSeconds = (snapshot: Snapshot): number => snapshot.context.outline.silentSeconds;
