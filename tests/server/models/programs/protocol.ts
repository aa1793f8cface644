import * as v from "valibot";
import { InstallationFailure, InstallationState } from "#contract/index.ts";

/** What programs/install.ts is started with, as JSON in its first argument. */
export const InstallOrder = v.object({
  dataDir: v.string(),
  /** A CatalogueModel. */
  entry: v.unknown(),
  /** MODELS_MIRROR. */
  mirror: v.string(),
  /** The trial never ends. */
  hangsWhileTrying: v.optional(v.boolean(), false),
  /** Of a file that is in the way until there is room made. */
  fillerBytes: v.optional(v.number(), 0),
});
export type InstallOrder = v.InferInput<typeof InstallOrder>;

export const InstallReport = v.variant("type", [
  v.object({ type: v.literal("ready") }),
  v.object({ type: v.literal("state"), state: InstallationState }),
  v.object({
    type: v.literal("ended"),
    state: InstallationState,
    failure: v.nullable(InstallationFailure),
    detail: v.nullable(v.string()),
    /** The most processor time between two turns of the event loop (ms). */
    heldMs: v.number(),
    /** What is beside the installer's own folders: models, and what is left half done. */
    folders: v.array(v.string()),
    models: v.array(v.string()),
  }),
]);
export type InstallReport = v.InferOutput<typeof InstallReport>;
