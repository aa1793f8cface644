import type { Dice } from "#tests/page/session/simulated/time.ts";
import { type Person, signInAgain } from "#tests/server/harness.ts";
import { talk } from "./actions/conversation.ts";
import type { Action, Life } from "./actions/life.ts";
import { dictate } from "./actions/live.ts";
import type { Payments } from "./actions/payments.ts";
import { Posting } from "./actions/posting.ts";
import { correctTitle, deleteText, saveText } from "./actions/texts.ts";
import { uploadInParts, uploadWhole } from "./actions/uploads.ts";
import { OwnVault } from "./actions/vault.ts";
import { Asking } from "./asking.ts";
import { Ledger } from "./ledger.ts";
import type { Kind, Moments } from "./moments.ts";

/** Renewal interval in ms: an access token lasts 15 minutes, and no action takes the remaining 7. */
const renewMs = 8 * 60_000;

/**
 * After so many payments the user has recorded more than the free minutes, so jobs without a subscription would be
 * refused.
 */
const maxPayments = 60;

/** What an inhabitant shares with the others. */
export interface Surroundings {
  moments: Moments;
  payments: Payments;
  /** undefined: a new action may begin. Otherwise resolves when it may (true), or when the run is over (false). */
  closed(): Promise<boolean> | undefined;
}

/** A user who does every kind of action, one after another, and repeats each request until it is acknowledged. */
export class Inhabitant implements Life {
  readonly ledger = new Ledger();
  readonly dice: Dice;
  readonly #around: Surroundings;
  readonly #posting: Posting | undefined;
  readonly #actions: readonly [Kind, Action][];
  #person: Person;
  #signedInAt = performance.now();
  #vault: OwnVault | undefined;
  #count = 0;
  #payments = 0;
  /** The current action in words. */
  doing = "nothing";
  isResting = false;

  /** @param dice alone decides the actions, so that a seed repeats a life */
  constructor(person: Person, dice: Dice, around: Surroundings, { isSuperuser }: { isSuperuser: boolean }) {
    [this.#person, this.dice, this.#around] = [person, dice, around];
    this.#posting = isSuperuser ? new Posting() : undefined;
    this.#actions = [
      ["text", saveText],
      ["text", correctTitle],
      ["text", deleteText],
      ["upload", uploadWhole],
      ["upload in parts", uploadInParts],
      ["dictation", dictate],
      ["conversation", talk],
      ["vault", async (life, asking) => this.#vault?.keep(life, asking)],
      ["checkout", (life, asking) => this.#payAgain(life, asking)],
      ["post", async (life, asking) => this.#posting?.run(life.person, asking)],
    ];
  }

  get person(): Person {
    return this.#person;
  }

  readonly name = (of: string): string => {
    this.#count += 1;
    return `${of} ${this.#count} of ${this.#person.email}`;
  };

  /** Does one action after another until the run is over. @throws Contradiction */
  async live(): Promise<void> {
    const { moments, payments } = this.#around;
    await payments.pay(this.#person, new Asking(moments, "checkout"));
    this.#vault = await OwnVault.make(this, new Asking(moments, "vault"));
    while (await this.#mayBegin()) {
      await this.#renew();
      const [kind, action] = this.dice.pick<[Kind, Action]>([["text", saveText], ...this.#actions]);
      if (kind === "post" && this.#posting === undefined) continue;
      this.doing = kind;
      await action(this, new Asking(moments, kind));
      this.doing = "nothing";
      moments.finish(kind);
    }
  }

  /** Compares the data while this user does nothing. @param all includes what was complete at an earlier check */
  async check(all: boolean): Promise<{ wrong: string[]; unfinished: string[] }> {
    const { moments, payments } = this.#around;
    await this.#renew();
    const asking = new Asking(moments, "text");
    const { wrong, unfinished } = await asking.until("the history", () => this.ledger.check(this.#person, all));
    const further = await asking.until("what was paid, kept and posted", async () => [
      ...(await payments.faults(this.#person)),
      ...((await this.#vault?.faults(this.#person, all)) ?? []),
      ...((await this.#posting?.faults(this.#person)) ?? []),
    ]);
    return { wrong: [...wrong, ...further], unfinished };
  }

  async #mayBegin(): Promise<boolean> {
    const closed = this.#around.closed();
    if (closed === undefined) return true;
    this.isResting = true;
    this.#around.moments.changed();
    const mayBegin = await closed;
    this.isResting = false;
    return mayBegin;
  }

  async #renew(): Promise<void> {
    if (performance.now() - this.#signedInAt < renewMs) return;
    this.#person = await new Asking(this.#around.moments, "text").until("signing in", () =>
      signInAgain(this.#person, this.#person),
    );
    this.#signedInAt = performance.now();
  }

  async #payAgain({ person }: Life, asking: Asking): Promise<void> {
    this.#payments += 1;
    if (this.#payments > maxPayments) return;
    await this.#around.payments.end(person, asking);
    await this.#around.payments.pay(person, asking);
  }
}
