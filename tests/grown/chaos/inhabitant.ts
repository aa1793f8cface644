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

/** An access token lasts 15 minutes; an action never takes the rest of them (milliseconds). */
const renewMs = 8 * 60_000;

/** After that somebody has said more than the free minutes: in the moment without a subscription jobs would be refused. */
const maxPayments = 60;

/** What an inhabitant shares with the others. */
export interface Surroundings {
  moments: Moments;
  payments: Payments;
  /** undefined: whoever wants to begin something may. Otherwise resolves when that is so again; false: it is over. */
  closed(): Promise<boolean> | undefined;
}

/** Somebody who uses everything, one thing after another, and asks again until each is acknowledged. */
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
  /** What is being done, in words. */
  doing = "nothing";
  isResting = false;

  /** @param dice decides what is done, and depends on nothing else: a seed repeats a life */
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

  /** Does one thing after another until it is over. @throws Contradiction */
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

  /** Compares, while this person does nothing. @param all also what was found to be complete before */
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
