import type { ReadableStore } from "#src/browser/store.ts";
import { signedInUser } from "./actor.ts";

interface PerOwnerOptions<Instance> {
  /** Disposes of the instance: its owner has signed out, its page was left, or it is replaced. */
  end(instance: Instance): void;
  /**
   * Called at sign-out, instead of disposing of the instance. The instance then waits until its owner comes back, and
   * is disposed of when another user signs in.
   */
  signedOut?(instance: Instance): void;
  /** The signed-in user's id; null: nobody. Default: from the page's session. */
  owner?: ReadableStore<string | null>;
}

/** A single instance (an actor, a form, a group of them) that belongs to one user. */
export interface PerOwner<Instance> {
  /** The instance, if it belongs to the signed-in user. */
  mine(): Instance | undefined;
  /** The instance. With `signedOut`, its owner may be signed out. */
  opened(): Instance | undefined;
  /**
   * Returns `mine`, or else a new instance from `make`. @param make receives the owner's id; null: nobody is signed in
   */
  open(make: (ownerId: string | null) => Instance): Instance;
  /** Replaces the instance by a new one. */
  replace(make: (ownerId: string | null) => Instance): Instance;
  /** Disposes of the instance. */
  close(): void;
}

/**
 * Keeps an instance for the signed-in user only. It ends with their session, even if a component still shows it.
 * Subscribes to the session only while there is an instance.
 */
export function perOwner<Instance>({ end, signedOut, owner = signedInUser }: PerOwnerOptions<Instance>): PerOwner<Instance> {
  let held: { instance: Instance; ownerId: string | null; isAway: boolean; leave(): void } | undefined;

  const close = () => {
    const last = held;
    held = undefined;
    last?.leave();
    if (last !== undefined) end(last.instance);
  };
  const look = () => {
    if (held === undefined) return;
    const now = owner.get();
    const wasAway = held.isAway;
    held.isAway = now !== held.ownerId;
    if (!held.isAway) return;
    if (now !== null || signedOut === undefined) close();
    else if (!wasAway) signedOut(held.instance);
  };
  const mine = () => (held?.ownerId === owner.get() ? held?.instance : undefined);
  const replace = (make: (ownerId: string | null) => Instance) => {
    close();
    const ownerId = owner.get();
    const instance = make(ownerId);
    held = { instance, ownerId, isAway: false, leave: owner.subscribe(look) };
    return instance;
  };
  return { mine, replace, close, opened: () => held?.instance, open: (make) => mine() ?? replace(make) };
}

/**
 * Keeps the state of one record while its page is open. Returns the same state however often it is opened there.
 * @returns a function that opens it; `onLeave` receives a function to call when the user leaves the page
 */
export function perRecord<Instance, More extends unknown[]>(
  make: (id: string, ...args: More) => Instance,
  end: (instance: Instance) => void,
): (id: string, onLeave: (left: () => void) => void, ...args: More) => Instance {
  const kept = perOwner<{ id: string; instance: Instance }>({ end: ({ instance }) => end(instance) });
  return (id, onLeave, ...args) => {
    const known = kept.mine();
    if (known?.id === id) return known.instance;
    onLeave(kept.close);
    return kept.replace(() => ({ id, instance: make(id, ...args) })).instance;
  };
}
