/** A set of listeners. */
export interface Listeners<Args extends readonly unknown[] = []> {
  /** Adds a listener. A listener that is added twice is called twice. @returns the unsubscribe function */
  subscribe(listener: (...args: Args) => void): () => void;
  /** Calls the listeners present at the start, in the order in which they were added. */
  emit(...args: Args): void;
  /** The number of listeners. */
  count(): number;
}

export function createListeners<Args extends readonly unknown[] = []>(): Listeners<Args> {
  const listeners = new Set<(...args: Args) => void>();
  return {
    subscribe: (listener) => {
      const own = (...args: Args) => listener(...args);
      listeners.add(own);
      return () => listeners.delete(own);
    },
    emit: (...args) => {
      for (const listener of [...listeners]) listener(...args);
    },
    count: () => listeners.size,
  };
}
