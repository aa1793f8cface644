import type { AnyActorRef } from "xstate";
import { selectIsLoading } from "#machines/query.ts";
import { newId } from "#src/browser/new-id.ts";
import { waitBriefly } from "#src/browser/wait-briefly.ts";
import { perOwner } from "#src/features/session/per-owner.ts";

/** Gives back what it is given, and stops it when the section is left. */
export interface Keep {
  <Part extends { stop(): unknown }>(part: Part): Part;
  /** The same for what shows an answer of the server, begins in `loading`, and is waited for. @param leave stops it */
  shown<Shown extends AnyActorRef>(actor: Shown, leave?: () => unknown): Shown;
}

export interface OpenSection<State> {
  state: State;
  /** Another one for each visit and each person: what is typed or open in its view does not outlive it. */
  visit: string;
  /** Its answers have come, or take too long: a card that is as high as its answer pushes nothing away. */
  loaded: Promise<unknown>;
}

export interface Section<State> {
  /** The same until it is left, or another person signs in. */
  enter(): OpenSection<State>;
  leave(): void;
}

/**
 * A section of the settings for the signed-in person. @param make receives the id of that person; null: nobody is
 * signed in
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
