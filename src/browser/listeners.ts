/** Whoever wants to hear of something. */
export interface Listeners<News extends readonly unknown[] = []> {
  /** One that comes twice is two: each gets its own end. @returns what ends it */
  subscribe(listener: (...news: News) => void): () => void;
  /** Tells those who are there when it begins, in the order in which they came. */
  emit(...news: News): void;
  /** How many there are. */
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
