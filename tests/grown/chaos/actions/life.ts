import type { Asking } from "#tests/grown/chaos/asking.ts";
import type { Ledger } from "#tests/grown/chaos/ledger.ts";
import type { Dice } from "#tests/page/session/simulated/time.ts";
import type { Person } from "#tests/server/harness.ts";

/** Somebody who does things, as far as each thing needs to know. */
export interface Life {
  readonly person: Person;
  readonly dice: Dice;
  readonly ledger: Ledger;
  /** A title that nothing else has. */
  readonly name: (of: string) => string;
}

/** One thing that somebody does: it ends when all of it is acknowledged. */
export type Action = (life: Life, asking: Asking) => Promise<void>;
