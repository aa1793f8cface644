import type { ActorRefFrom, SnapshotFrom } from "xstate";
import type { VaultItem } from "#contract/index.ts";
import type { vaultMachine } from "./machine.ts";

export type VaultActor = ActorRefFrom<typeof vaultMachine>;
type Snapshot = SnapshotFrom<typeof vaultMachine>;

const screens = ["checking", "failed", "none", "recoveryKey", "locked", "renewing", "open"] as const;
/** The shown screen. */
export type VaultScreen = (typeof screens)[number];

export const selectScreen = (snapshot: Snapshot): VaultScreen => screens.find((screen) => snapshot.hasTag(screen)) ?? "locked";

/** A key is being created, opened or encrypted, which takes about a second. */
export const selectIsBusy = (snapshot: Snapshot): boolean => snapshot.hasTag("busy");
export const selectIsRecovering = (snapshot: Snapshot): boolean => snapshot.matches("recovering");
/** Whether the deletion of the vault must be confirmed. */
export const selectIsAskedToErase = (snapshot: Snapshot): boolean => snapshot.matches({ locked: "asking" });
export const selectIsErasing = (snapshot: Snapshot): boolean => snapshot.matches("erasing");
/** Whether recordings can be added and read. */
export const selectIsOpen = (snapshot: Snapshot): boolean => snapshot.hasTag("open");
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
export const selectLockedBy = (snapshot: Snapshot): string | null => snapshot.context.lockedBy;
/** The same array until something changes. */
export const selectItems = (snapshot: Snapshot): readonly VaultItem[] => snapshot.context.items;
/** The recipient key for encryption; null when there is no vault. */
export const selectRecipient = (snapshot: Snapshot): string | null => snapshot.context.vault?.recipient ?? null;
/** The sealed key, as a file that `age -d -i` accepts; null when there is no vault. */
export const selectSealed = (snapshot: Snapshot): string | null => snapshot.context.vault?.sealed ?? null;
/** In bytes. */
export const selectTotalSize = (snapshot: Snapshot): number => snapshot.context.items.reduce((sum, { size }) => sum + size, 0);
