import type { Asking } from "#tests/grown/chaos/asking.ts";
import type { Ledger } from "#tests/grown/chaos/ledger.ts";
import type { Dice } from "#tests/page/session/simulated/time.ts";
import type { Person } from "#tests/server/harness.ts";

/** A user and what their actions need to know. */
export interface Life {
  readonly person: Person;
  readonly dice: Dice;
  readonly ledger: Ledger;
  /** Makes a unique title. */
  readonly name: (of: string) => string;
}

/** One action of a user: it resolves when the server has acknowledged all of it. */
export type Action = (life: Life, asking: Asking) => Promise<void>;
