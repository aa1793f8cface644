import type { Vault, VaultItem } from "#contract/index.ts";
import type { ShownOnceTag } from "#machines/collection/shown-once.ts";

export type VaultEvent =
  /** The person's actions; the entered texts stay outside the machine. */
  | { type: "create.requested" }
  | { type: "copy.requested" }
  | { type: "recoveryKey.confirmed" }
  | { type: "cancel.requested" }
  | { type: "unlock.requested" }
  | { type: "recover.requested" }
  | { type: "passphrase.chosen" }
  | { type: "lock.requested" }
  /** The person deletes the vault, and confirms or cancels. Leaving the page cancels. */
  | { type: "erase.requested" }
  | { type: "erase.confirmed" }
  | { type: "erase.cancelled" }
  /** Sent by the person, or by the route when it opens. */
  | { type: "reload.requested" }
  /** The actor `presence`: activity in any tab; the device woke up; another tab was locked. */
  | { type: "presence.noted" }
  | { type: "page.resumed" }
  | { type: "vault.lockedElsewhere" }
  /** Sent by the part that added, renamed or deleted an item. */
  | { type: "item.added"; item: VaultItem }
  | { type: "item.changed"; item: VaultItem }
  | { type: "item.removed"; id: string };

/** Emitted to the rest of the page. */
export type VaultEmitted =
  /** The vault was locked: decrypted data is discarded. */
  { type: "vault.locked" } | { type: "passphrase.changed" };

/**
 * The screens, whether a key is being created, opened or encrypted, and the result of the last copy of the recovery
 * key.
 */
export type VaultTag = "checking" | "failed" | "none" | "recoveryKey" | "locked" | "renewing" | "open" | "busy" | ShownOnceTag;

export interface VaultInput {
  /** The current time in epoch ms. */
  now(): number;
}

export interface VaultContext extends VaultInput {
  /** null: no vault, or not known yet. */
  vault: Vault | null;
  /** The server's items, newest first. */
  items: readonly VaultItem[];
  /** Why the last operation failed: an error code, or one of the vault's problems. */
  failure: string | null;
  /** What locked the vault last; null if nothing did. */
  lockedBy: "person" | "idle" | "elsewhere" | null;
  /** The last activity in epoch ms. */
  seenAt: number;
}
