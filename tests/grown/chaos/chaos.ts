import { setTimeout } from "node:timers/promises";
import { createDice, type Dice } from "#tests/page/session/simulated/time.ts";
import { signUp } from "#tests/server/harness.ts";
import { Inhabitant } from "./inhabitant.ts";
import type { Installation } from "./installation.ts";
import { type Kind, kinds, Moments } from "./moments.ts";

export interface ChaosOptions {
  /** How often a process is killed. */
  rounds: number;
  /** Decides the users' actions, and what is killed during which action. The processes keep their own pace. */
  seed: number;
  people?: number;
}

export interface ChaosReport {
  /** Everything lost, doubled, failed or unreported, in words; empty if all is well. */
  wrong: string[];
  /** What was killed, and during which actions. */
  story: string[];
  kills: Record<string, number>;
  /** Number of acknowledged actions by kind. */
  finished: Record<string, number>;
  acknowledged: number;
  /** Number of requests whose connection broke, and of temporary refusals. */
  unanswered: number;
  refused: number;
}

/** After this many rounds everybody finishes their action, and all data is compared. */
const stretch = 10;
/** The first round of each stretch always kills a server that has an open request; other rounds kill at any moment. */
const isCutOff = (round: number): boolean => round % stretch === 1;
/** Number of rounds in which a request is cut off for certain. */
export const cutOffs = (rounds: number): number => Math.ceil(rounds / stretch);
/** Number of requests that must be acknowledged between two kills, so that the servers make progress. */
const progress = 3;
/** After this many further requests a round no longer waits for the chosen kind of action. */
const patience = 12;
/** A job fails by design after its tool or engine was killed three times, so the test stays below. */
const maxHelperKills = 2;
/** Time between two polls of the jobs when nobody does anything else, in ms. */
const lookMs = 100;

/**
 * Kills processes again and again during the users' actions, and compares the acknowledged data with the stored data.
 */
export async function runChaos(installation: Installation, { rounds, seed, people = 4 }: ChaosOptions): Promise<ChaosReport> {
  const chaos = new Chaos(installation, createDice(seed));
  try {
    await chaos.settle(people, seed);
    for (let round = 1; round <= rounds && chaos.isWell; round += 1) {
      await chaos.round(round);
      if (round % stretch === 0 || round === rounds) await chaos.compare(round, round === rounds);
    }
  } catch (error) {
    chaos.note(error);
  } finally {
    await chaos.end();
  }
  return chaos.report;
}

class Chaos {
  readonly #installation: Installation;
  readonly #dice: Dice;
  readonly #moments = new Moments();
  readonly #all: Inhabitant[] = [];
  readonly #lives: Promise<void>[] = [];
  readonly #wrong: string[] = [];
  readonly #story: string[] = [];
  readonly #kills: Record<string, number> = {};
  #helperKills = 0;
  /** Users wait for this between two actions while everything is compared: true continues, false ends. */
  #gate: PromiseWithResolvers<boolean> | undefined;

  constructor(installation: Installation, dice: Dice) {
    [this.#installation, this.#dice] = [installation, dice];
  }

  get isWell(): boolean {
    return this.#wrong.length === 0;
  }

  get report(): ChaosReport {
    const { acknowledged, unanswered, refused, finished } = this.#moments;
    return {
      wrong: [...new Set(this.#wrong)],
      story: this.#story,
      kills: this.#kills,
      finished: Object.fromEntries(finished),
      acknowledged,
      unanswered,
      refused,
    };
  }

  note(error: unknown): void {
    // Errors that follow from ending the run do not count.
    if (this.#moments.isOver) return;
    this.#wrong.push(error instanceof Error ? error.message : String(error));
    this.#moments.changed();
  }

  /** Lets users register and begin. The first one is a superuser. */
  async settle(people: number, seed: number): Promise<void> {
    const { payments } = this.#installation;
    const around = { moments: this.#moments, payments, closed: () => this.#gate?.promise };
    for (let number = 0; number < people; number += 1) {
      const person = await signUp(this.#installation);
      const isSuperuser = number === 0;
      if (isSuperuser) await this.#installation.promote(person.email);
      const inhabitant = new Inhabitant(person, createDice(seed * 1_000 + number), around, { isSuperuser });
      this.#all.push(inhabitant);
    }
    for (const inhabitant of this.#all) this.#lives.push(inhabitant.live().catch((error: unknown) => this.note(error)));
  }

  /** Kills a process during an action. */
  async round(round: number): Promise<void> {
    const dice = this.#dice;
    const [kind, share] = [dice.pick(kinds), dice.next()];
    await this.#until(
      () => `somebody is at: ${kind}`,
      this.#middleOf(kind),
      () => this.#moments.acknowledged,
    );
    if (!this.isWell) return;
    await setTimeout(share * 1.2 * this.#moments.usualMs(kind));
    const during = this.#moments.underWay;
    const { name, isHelper } = isCutOff(round)
      ? { name: await this.#installation.cutOff(dice), isHelper: false }
      : await this.#installation.kill(dice, this.#helperKills < maxHelperKills);
    if (isHelper) this.#helperKills += 1;
    this.#kills[name] = (this.#kills[name] ?? 0) + 1;
    this.#story.push(`${round}: ${name}, during ${during.join(", ") || "nothing"}`);
    await this.#installation.heal();
    for (const fault of this.#installation.faults()) this.note(fault);
  }

  #middleOf(kind: Kind): () => boolean {
    const moments = this.#moments;
    const enough = moments.acknowledged + progress;
    return () => moments.acknowledged >= enough + patience || (moments.acknowledged >= enough && moments.underWay.includes(kind));
  }

  /** Waits until all actions and jobs have ended; then nothing may be missing. */
  async compare(round: number, isEnd: boolean): Promise<void> {
    const resting = () => this.#all.filter(({ isResting }) => isResting).length;
    const gate = Promise.withResolvers<boolean>();
    this.#gate = gate;
    await this.#until(
      () => "everybody has finished what they are at",
      () => resting() === this.#all.length,
      resting,
    );
    // After a fault users may still be in the middle of an action.
    if (!this.isWell) return;
    let unfinished = await this.#look(round, isEnd);
    const jobsEnd = async () => {
      for (; this.isWell && unfinished.length > 0; unfinished = await this.#look(round, isEnd)) {
        await setTimeout(lookMs);
        this.#moments.changed();
      }
    };
    const ended = jobsEnd().catch((error: unknown) => this.note(error));
    const names = () => `every job has ended: ${unfinished.join(", ")}`;
    await this.#until(
      names,
      () => unfinished.length === 0,
      () => -unfinished.length,
    );
    await ended;
    this.#helperKills = 0;
    if (!isEnd) this.#gate = undefined;
    gate.resolve(!isEnd);
  }

  /** @returns what is not complete yet */
  async #look(round: number, isEnd: boolean): Promise<string[]> {
    const found = await Promise.all(this.#all.map((inhabitant) => inhabitant.check(isEnd)));
    for (const one of found.flatMap(({ wrong }) => wrong)) this.note(`after round ${round}: ${one}`);
    return found.flatMap(({ unfinished }) => unfinished);
  }

  async end(): Promise<void> {
    this.#gate?.resolve(false);
    this.#moments.isOver = !this.isWell;
    await Promise.allSettled(this.#lives);
    this.#moments.isOver = true;
  }

  /** @throws Error when the condition makes no progress */
  async #until(what: () => string, holds: () => boolean, progress: () => number): Promise<void> {
    try {
      await this.#moments.until(() => !this.isWell || holds(), progress);
    } catch (error) {
      const doing = this.#all.map((one) => `${one.person.email}: ${one.doing}`).join(", ");
      throw new Error(`${error instanceof Error ? error.message : error} ${what()} (${doing})`, { cause: error });
    }
  }
}
