import { newId } from "#src/browser/new-id.ts";
import { perOwner } from "#src/features/session/per-owner.ts";

/** Gives back what it is given, and stops it when the section is left. */
export type Keep = <Kept extends { stop(): unknown }>(kept: Kept) => Kept;

export interface OpenSection<State> {
  state: State;
  /** Another one for each visit and each person: what is typed or open in its view does not outlive it. */
  visit: string;
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
    const keep: Keep = (kept) => {
      all.push(kept);
      return kept;
    };
    const stop = () => {
      for (const each of all) each.stop();
    };
    return { state: make(keep, ownerId), visit: newId(), stop };
  };
  return { enter: () => opened.open(open), leave: opened.close };
}
