import type { AnyActorRef } from "xstate";
import { selectIsLoading } from "#machines/query.ts";
import { newId } from "#src/browser/new-id.ts";
import { waitBriefly } from "#src/browser/wait-briefly.ts";
import { perOwner } from "#src/features/session/per-owner.ts";

/** Returns its argument, and stops it when the user leaves the section. */
export interface Keep {
  <Part extends { stop(): unknown }>(part: Part): Part;
  /**
   * The same for an actor that begins in `loading` and shows an answer of the server. The section waits for it.
   * @param leave stops it
   */
  shown<Shown extends AnyActorRef>(actor: Shown, leave?: () => unknown): Shown;
}

export interface OpenSection<State> {
  state: State;
  /** A new value for each visit and each user, so that typed values and open forms don't outlive the visit. */
  visit: string;
  /**
   * Resolves when the answers have arrived or take too long. Until then the section is not rendered, so that late
   * answers don't move the content.
   */
  loaded: Promise<unknown>;
}

export interface Section<State> {
  /** Returns the same state until the user leaves the section or another user signs in. */
  enter(): OpenSection<State>;
  leave(): void;
}

/**
 * A section of the settings for the signed-in user.
 * @param make receives that user's id; null: nobody is signed in
 */
export function createSection<State>(make: (keep: Keep, ownerId: string | null) => State): Section<State> {
  const opened = perOwner<OpenSection<State> & { stop(): void }>({ end: ({ stop }) => stop() });
  const open = (ownerId: string | null) => {
    const all: { stop(): unknown }[] = [];
    const answers: Promise<unknown>[] = [];
    const keepPart = <Part extends { stop(): unknown }>(part: Part) => {
      all.push(part);
      return part;
    };
    const shown = <Shown extends AnyActorRef>(actor: Shown, leave = () => actor.stop()) => {
      all.push({ stop: leave });
      answers.push(waitBriefly(actor, (snapshot) => !selectIsLoading(snapshot)));
      return actor;
    };
    const keep: Keep = Object.assign(keepPart, { shown });
    const stop = () => {
      for (const each of all) each.stop();
    };
    const state = make(keep, ownerId);
    return { state, visit: newId(), loaded: Promise.all(answers), stop };
  };
  return { enter: () => opened.open(open), leave: opened.close };
}
