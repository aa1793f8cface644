import type { Vault, VaultItem } from "#contract/index.ts";
import type { ShownOnceTag } from "#machines/collection/shown-once.ts";

export type VaultEvent =
  /** The person; the input itself is outside of the machine. */
  | { type: "create.requested" }
  | { type: "copy.requested" }
  | { type: "recoveryKey.confirmed" }
  | { type: "cancel.requested" }
  | { type: "unlock.requested" }
  | { type: "recover.requested" }
  | { type: "passphrase.chosen" }
  | { type: "lock.requested" }
  /** The person deletes the vault, and confirms it or not; leaving the page is a no. */
  | { type: "erase.requested" }
  | { type: "erase.confirmed" }
  | { type: "erase.cancelled" }
  /** The person, or the route when it is opened. */
  | { type: "reload.requested" }
  /** The actor `presence`: activity in any tab; the device woke; another tab was locked. */
  | { type: "presence.noted" }
  | { type: "page.resumed" }
  | { type: "vault.lockedElsewhere" }
  /** Sent by whatever added, renamed or deleted an item. */
  | { type: "item.added"; item: VaultItem }
  | { type: "item.changed"; item: VaultItem }
  | { type: "item.removed"; id: string };

/** Emitted to the rest of the page. */
export type VaultEmitted =
  /** It was locked: decrypted data is discarded. */
  { type: "vault.locked" } | { type: "passphrase.changed" };

/** The screens, whether a key is being made, opened or sealed meanwhile, and what became of the last copy of the recovery key. */
export type VaultTag = "checking" | "failed" | "none" | "recoveryKey" | "locked" | "renewing" | "open" | "busy" | ShownOnceTag;

export interface VaultInput {
  /** Epoch ms. */
  now(): number;
}

export interface VaultContext extends VaultInput {
  /** null: there is none, or it is not known yet. */
  vault: Vault | null;
  /** As the server has them, newest first. */
  items: readonly VaultItem[];
  /** Why the last operation failed: an error code, or one of the vault's problems. */
  failure: string | null;
  /** What locked it last; null for nothing. */
  lockedBy: "person" | "idle" | "elsewhere" | null;
  /** The last activity, epoch ms. */
  seenAt: number;
}
