import { createListeners } from "./listeners.ts";

/** A value outside of the machines, for what changes too often to be an event. Made for `useSyncExternalStore`. */
export interface ReadableStore<Value> {
  /** The same reference until it changes. */
  get(): Value;
  /** @returns the unsubscribe function */
  subscribe(listener: () => void): () => void;
}

export interface Store<Value> extends ReadableStore<Value> {
  set(value: Value): void;
}

export function createStore<Value>(initial: Value): Store<Value> {
  const { subscribe, emit } = createListeners();
  let current = initial;
  return {
    get: () => current,
    set: (value) => {
      if (Object.is(value, current)) return;
      current = value;
      emit();
    },
    subscribe,
  };
}
