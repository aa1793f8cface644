import type { ModelChoices } from "#contract/index.ts";
import type { ModelFilter } from "./rules.ts";

export type ModelAction = "install" | "pause" | "resume" | "cancel" | "remove";

/** Something to be done with one model. */
export interface ModelCommand {
  action: ModelAction;
  id: string;
}

export type ModelsEvent =
  /** The person retries to fetch the list. */
  | { type: "retry.requested" }
  /** The actor `visibility`: the tab became visible or the network is back; the tab is hidden. */
  | { type: "page.shown" }
  | { type: "page.hidden" }
  /** The page, or this machine: the list may be another now. */
  | { type: "models.changed" }
  /** The page: choices have been saved. */
  | { type: "choices.saved"; choices: ModelChoices }
  /** A model's buttons. */
  | { type: "command.requested"; command: ModelCommand }
  /** The question before a model is removed: confirmed, or not. */
  | { type: "command.confirmed" }
  | { type: "command.dismissed" }
  /** The person has read why a command failed. */
  | { type: "failure.dismissed"; id: string }
  /** The person: another language to translate into; another part of the catalogue. */
  | { type: "target.chosen"; language: string }
  | { type: "filter.changed"; filter: Partial<ModelFilter> };
