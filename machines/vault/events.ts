import type { VaultItem } from "#contract/index.ts";

export type VaultEvent =
  /** The person; what was typed is beside the machine. */
  | { type: "create.requested" }
  | { type: "key.kept" }
  | { type: "cancel.requested" }
  | { type: "unlock.requested" }
  | { type: "recover.requested" }
  | { type: "passphrase.chosen" }
  | { type: "lock.requested" }
  | { type: "erase.requested" }
  /** The person, or the route when it is opened. */
  | { type: "reload.requested" }
  /** The actor `presence`; epoch ms. */
  | { type: "presence.noted"; at: number }
  | { type: "woke"; at: number }
  | { type: "locked.elsewhere" }
  /** Who put something in, renamed it, took it out. */
  | { type: "item.added"; item: VaultItem }
  | { type: "item.changed"; item: VaultItem }
  | { type: "item.removed"; id: string };

/** What the rest of the page hears. */
export type VaultEmitted =
  /** It is open no more: what was read from it goes. */
  { type: "locked" } | { type: "passphrase.changed" };
