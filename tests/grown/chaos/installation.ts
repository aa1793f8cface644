import type { Dice } from "#tests/page/session/simulated/time.ts";
import type { Payments } from "./actions/payments.ts";

/** What chaos is made of: processes that can be killed, and come back. */
export interface Installation extends AsyncDisposable {
  /** Where everything is asked for; it stays the same. */
  readonly apiUrl: string;
  readonly payments: Payments;
  /** Kills one of its processes, without a word. @param helpers whether an engine or a decoder may be it @returns which */
  kill(dice: Dice, helpers: boolean): Promise<{ name: string; isHelper: boolean }>;
  /** Kills one that answers, while it has somebody's request that it can't answer any more. @returns which */
  cutOff(dice: Dice): Promise<string>;
  /** Starts again what was killed. */
  heal(): Promise<void>;
  /** Gives somebody every right. */
  promote(email: string): Promise<void>;
  /** Processes that have ended though nobody killed them. */
  faults(): readonly string[];
  /** What its processes have said last. */
  log(): string;
}
