/** A set of listeners. */
export interface Listeners<News extends readonly unknown[] = []> {
  /** A listener added twice is called twice. @returns the unsubscribe function */
  subscribe(listener: (...news: News) => void): () => void;
  /** Calls those present when it begins, in the order in which they were added. */
  emit(...news: News): void;
  /** The number of listeners. */
  count(): number;
}

export function createListeners<News extends readonly unknown[] = []>(): Listeners<News> {
  const listeners = new Set<(...news: News) => void>();
  return {
    subscribe: (listener) => {
      const own = (...news: News) => listener(...news);
      listeners.add(own);
      return () => listeners.delete(own);
    },
    emit: (...news) => {
      for (const listener of [...listeners]) listener(...news);
    },
    count: () => listeners.size,
  };
}
