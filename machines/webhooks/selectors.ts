import type { SnapshotFrom } from "xstate";
import type { Webhook, WebhookDelivery } from "#contract/index.ts";
import { selectChosen } from "#machines/collection/selectors.ts";
import type { webhooksMachine } from "./machine.ts";

type Snapshot = SnapshotFrom<typeof webhooksMachine>;

/** The webhook whose log is open; null for none. */
export const selectLogged = (snapshot: Snapshot): Webhook | null => (snapshot.hasTag("log") ? selectChosen(snapshot) : null);
/** The messages in the open log, newest first; null while they are loading, or if that failed. */
export const selectDeliveries = (snapshot: Snapshot): readonly WebhookDelivery[] | null => snapshot.context.deliveries;
/** Whether loading the log failed. */
export const selectHasLogFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: { log: "failed" } });
export const selectIsTesting = (snapshot: Snapshot): boolean => snapshot.matches({ open: { log: "testing" } });
/** The id of the message that is being resent; null for none. */
export const selectReplaying = (snapshot: Snapshot): string | null => snapshot.context.replayed;
