import type { SnapshotFrom } from "xstate";
import type { Webhook, WebhookDelivery } from "#contract/index.ts";
import { selectChosen } from "#machines/collection/selectors.ts";
import type { webhooksMachine } from "./machine.ts";

type Snapshot = SnapshotFrom<typeof webhooksMachine>;

/** The one whose log is seen; null for none. */
export const selectLogged = (snapshot: Snapshot): Webhook | null => (snapshot.hasTag("log") ? selectChosen(snapshot) : null);
/** Its messages, the newest first; null while they are loaded, or could not be. */
export const selectDeliveries = (snapshot: Snapshot): readonly WebhookDelivery[] | null => snapshot.context.deliveries;
/** The log could not be loaded. */
export const selectHasLogFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: { log: "failed" } });
export const selectIsTesting = (snapshot: Snapshot): boolean => snapshot.matches({ open: { log: "testing" } });
/** The id of the message that is sent again; null for none. */
export const selectReplaying = (snapshot: Snapshot): string | null => snapshot.context.replayed;
