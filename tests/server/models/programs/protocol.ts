import * as v from "valibot";
import { InstallationFailure, InstallationState } from "#contract/index.ts";

/** The first argument of programs/install.ts, as JSON. */
export const InstallOrder = v.object({
  dataDir: v.string(),
  /** A CatalogueModel. */
  entry: v.unknown(),
  /** MODELS_MIRROR. */
  mirror: v.string(),
  /** The trial never ends. */
  hangsWhileTrying: v.optional(v.boolean(), false),
  /** Size in bytes of a file that fills the disk until `makeRoom`. */
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
    /** Longest processor time between two turns of the event loop (ms). */
    heldMs: v.number(),
    /** Folders besides the installer's own: models and remains of unfinished work. */
    folders: v.array(v.string()),
    models: v.array(v.string()),
  }),
]);
export type InstallReport = v.InferOutput<typeof InstallReport>;
