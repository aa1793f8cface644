import type { ReadableStore } from "#src/browser/store.ts";
import { signedInUser } from "./actor.ts";

interface PerOwnerOptions<Kept> {
  /** Ends it: its owner has gone, the page that shows it is left, or another one takes its place. */
  end(kept: Kept): void;
  /**
   * Nobody is signed in any more. By default that ends it. With this it waits for its owner to come back; it ends when somebody else
   * comes.
   */
  signedOut?(kept: Kept): void;
  /** Who is signed in; null: nobody. By default as the page's session has it. */
  owner?: ReadableStore<string | null>;
}

/** One thing at a time (an actor, a form, a group of them), which belongs to one person. */
export interface PerOwner<Kept> {
  /** What is open and belongs to whoever is signed in now. */
  mine(): Kept | undefined;
  /** What is open; with `signedOut` it may belong to somebody who is away. */
  opened(): Kept | undefined;
  /** `mine`, or else what `make` makes. @param make is given whose it will be; null: nobody is signed in */
  open(make: (ownerId: string | null) => Kept): Kept;
  /** A new one in the place of the one that is open. */
  replace(make: (ownerId: string | null) => Kept): Kept;
  /** Ends what is open. */
  close(): void;
}

/**
 * Keeps something for whoever is signed in, and for nobody else: it ends with their session, whoever still shows it. Nothing is followed
 * while nothing is open.
 */
export function perOwner<Kept>({ end, signedOut, owner = signedInUser }: PerOwnerOptions<Kept>): PerOwner<Kept> {
  let held: { kept: Kept; ownerId: string | null; isAway: boolean; leave(): void } | undefined;

  const close = () => {
    const last = held;
    held = undefined;
    last?.leave();
    if (last !== undefined) end(last.kept);
  };
  const look = () => {
    if (held === undefined) return;
    const now = owner.get();
    const wasAway = held.isAway;
    held.isAway = now !== held.ownerId;
    if (!held.isAway) return;
    if (now !== null || signedOut === undefined) close();
    else if (!wasAway) signedOut(held.kept);
  };
  const mine = () => (held?.ownerId === owner.get() ? held?.kept : undefined);
  const replace = (make: (ownerId: string | null) => Kept) => {
    close();
    const ownerId = owner.get();
    const kept = make(ownerId);
    held = { kept, ownerId, isAway: false, leave: owner.subscribe(look) };
    return kept;
  };
  return { mine, replace, close, opened: () => held?.kept, open: (make) => mine() ?? replace(make) };
}
