/** The stored part of a model on this device. */
export interface StoredModel {
  /** `elsewhere`: another tab is downloading it at this moment. */
  kept: "nothing" | "part" | "whole" | "elsewhere";
  /** An earlier version was stored, and is deleted. */
  wasReplaced: boolean;
}

export type DeviceModelEvent =
  /** The person. */
  | { type: "download.requested" }
  | { type: "pause.requested" }
  | { type: "resume.requested" }
  /** The download so far is deleted. */
  | { type: "cancel.requested" }
  | { type: "retry.requested" }
  | { type: "delete.requested" }
  /** The recogniser's client: live speech or a recording needs the model from now on, and no longer. */
  | { type: "use.begun" }
  | { type: "use.ended" }
  /** The recogniser's client: live speech arrives faster than it is recognized. */
  | { type: "slowness.noted" }
  /** The actor `wakeUps`: the network is back, or the device woke. */
  | { type: "page.resumed" }
  /** The actor `otherTabs`: another tab has downloaded or deleted the model. */
  | { type: "storage.changed" }
  /** The actor `worker`: the model is in memory, could not be loaded, or was lost. */
  | { type: "worker.loaded" }
  | { type: "worker.failed"; code: string };

export interface DeviceModelContext {
  /** An earlier version was stored, and is deleted. */
  wasReplaced: boolean;
  /** Live speech could not be recognized as fast as it was spoken. */
  isTooSlow: boolean;
  /** The number of streams and recordings that need the model. */
  uses: number;
  /** Consecutive attempts that failed for want of a network. */
  attempts: number;
  /** Why the last step failed (`device-models:failure.<code>`). */
  code: string | null;
}
