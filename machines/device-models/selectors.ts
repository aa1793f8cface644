import type { SnapshotFrom } from "xstate";
import type { deviceModelMachine } from "./machine.ts";
import { type DeviceModelPhase, phases } from "./rules.ts";

type Snapshot = SnapshotFrom<typeof deviceModelMachine>;

export const selectPhase = (snapshot: Snapshot): DeviceModelPhase => phases.find((phase) => snapshot.hasTag(phase)) ?? "checking";
/** Kept whole on this device: recordings may be recognized. */
export const selectIsOnDevice = (snapshot: Snapshot): boolean => snapshot.hasTag("onDevice");
/** Kept whole on this device, and fast enough for live words. */
export const selectMayListen = (snapshot: Snapshot): boolean => selectIsOnDevice(snapshot) && !snapshot.context.isTooSlow;
/** Live words are not offered until the page is loaded again, or the model is downloaded again. */
export const selectIsTooSlow = (snapshot: Snapshot): boolean => selectIsOnDevice(snapshot) && snapshot.context.isTooSlow;
/** Why it failed, or can't be used here (`device-models:failure.<code>`); null otherwise. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.code;
/** Whether an earlier version was stored on this device: the new one is offered. */
export const selectWasReplaced = (snapshot: Snapshot): boolean => snapshot.context.wasReplaced;
