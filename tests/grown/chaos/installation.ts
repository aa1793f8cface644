import type { Dice } from "#tests/page/session/simulated/time.ts";
import type { Payments } from "./actions/payments.ts";

/** An installation whose processes can be killed and restarted. */
export interface Installation extends AsyncDisposable {
  /** The API's address, which stays the same. */
  readonly apiUrl: string;
  readonly payments: Payments;
  /** Kills one process. @param helpers whether it may be an engine or a decoder @returns which one */
  kill(dice: Dice, helpers: boolean): Promise<{ name: string; isHelper: boolean }>;
  /** Kills an API process that has an unanswered request. @returns which one */
  cutOff(dice: Dice): Promise<string>;
  /** Restarts what was killed. */
  heal(): Promise<void>;
  /** Makes a user a superuser. */
  promote(email: string): Promise<void>;
  /** Processes that ended although nobody killed them. */
  faults(): readonly string[];
  /** The last output of its processes. */
  log(): string;
}
