import type { SnapshotFrom } from "xstate";
import type { CreatedWebhook, Webhook, WebhookDelivery } from "#contract/index.ts";
import type { webhooksMachine } from "./machine.ts";

type Snapshot = SnapshotFrom<typeof webhooksMachine>;

const noWebhooks: readonly Webhook[] = [];

export const selectIsUnavailable = (snapshot: Snapshot): boolean => snapshot.hasTag("unavailable");
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches("loading");
/** An error code of the contract; null unless loading them failed. */
export const selectLoadError = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.loadError : null;
export const selectIsOpen = (snapshot: Snapshot): boolean => snapshot.matches("open");
/** The oldest first. */
export const selectWebhooks = (snapshot: Snapshot): readonly Webhook[] => snapshot.context.webhooks ?? noWebhooks;
/** The form of a new one is open. */
export const selectIsWriting = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: "writing" }) || snapshot.matches({ open: "creating" });
export const selectIsCreating = (snapshot: Snapshot): boolean => snapshot.matches({ open: "creating" });
/** The new one with its secret; null unless it is to be kept now. */
export const selectCreated = (snapshot: Snapshot): CreatedWebhook | null => snapshot.context.created;

const chosenIn = ({ context }: Snapshot): Webhook | null => context.webhooks?.find(({ id }) => id === context.chosen) ?? null;

/** The one whose removal waits for a yes; null for none. */
export const selectAsked = (snapshot: Snapshot): Webhook | null =>
  snapshot.matches({ open: "asking" }) ? chosenIn(snapshot) : null;
/** The id of the one that is being removed; null for none. */
export const selectRemoving = (snapshot: Snapshot): string | null =>
  snapshot.matches({ open: "removing" }) ? snapshot.context.chosen : null;
/** The id of the one that is being paused, or goes on; null for none. */
export const selectChanging = (snapshot: Snapshot): string | null =>
  snapshot.matches({ open: "changing" }) ? snapshot.context.chosen : null;
/** How often the list came back without what had the focus: one was removed, or a log closed. */
export const selectReturns = (snapshot: Snapshot): number => snapshot.context.returns;

/** The one whose log is seen; null for none. */
export const selectLogged = (snapshot: Snapshot): Webhook | null => (snapshot.hasTag("log") ? chosenIn(snapshot) : null);
/** Its messages, the newest first; null while they are loaded, or could not be. */
export const selectDeliveries = (snapshot: Snapshot): readonly WebhookDelivery[] | null => snapshot.context.deliveries;
/** An error code of the contract; null unless loading the log failed. */
export const selectLogError = (snapshot: Snapshot): string | null =>
  snapshot.matches({ open: { log: "failed" } }) ? snapshot.context.loadError : null;
export const selectIsTesting = (snapshot: Snapshot): boolean => snapshot.matches({ open: { log: "testing" } });
/** The id of the message that is sent again; null for none. */
export const selectReplaying = (snapshot: Snapshot): string | null => snapshot.context.replayed;

/** Why the last change failed: an error code of the contract, `noUrl` or `noEvent`; null unless it did. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
