import { createListeners } from "./listeners.ts";

/** A value outside of the machines, for data that changes too often for events. Works with `useSyncExternalStore`. */
export interface ReadableStore<Value> {
  /** The same reference until the value changes. */
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
