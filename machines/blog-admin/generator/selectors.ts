import type { SnapshotFrom } from "xstate";
import type { DiversityStats, GenerationStep, GeneratorFailure, GeneratorForm, GeneratorMode } from "#contract/index.ts";
import { type GeneratorPhase, type generatorMachine, generatorPhases, type Written } from "./machine.ts";

// The generator's state for the page.

type Snapshot = SnapshotFrom<typeof generatorMachine>;

export const selectPhase = (snapshot: Snapshot): GeneratorPhase =>
  generatorPhases.find((phase) => snapshot.hasTag(phase)) ?? "idle";

/** The form keeps the submitted values while the request runs. */
export const selectIsBusy = (snapshot: Snapshot): boolean => snapshot.hasTag("busy");
export const selectForm = (snapshot: Snapshot): GeneratorForm => snapshot.context.form;
export const selectMode = (snapshot: Snapshot): GeneratorMode => snapshot.context.mode;
export const selectIsTopicMissing = (snapshot: Snapshot): boolean => snapshot.context.topicMissing;
export const selectStep = (snapshot: Snapshot): GenerationStep | null => snapshot.context.step;
export const selectWritten = (snapshot: Snapshot): Written | null => snapshot.context.written;
export const selectFailure = (snapshot: Snapshot): GeneratorFailure | null => snapshot.context.failure;
export const selectSavedId = (snapshot: Snapshot): string | null => snapshot.context.savedId;
export const selectStats = (snapshot: Snapshot): DiversityStats | null => snapshot.context.stats;
export const selectHasStatsFailed = (snapshot: Snapshot): boolean => snapshot.matches({ numbers: "failed" });
export const selectIsLoadingStats = (snapshot: Snapshot): boolean => snapshot.matches({ numbers: "loading" });
/** False only after the server has said so. */
export const selectIsAvailable = (snapshot: Snapshot): boolean => snapshot.context.stats?.available !== false;
