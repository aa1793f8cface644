/** Yields, so that the page or worker can render, react, and read its messages. */
export const nextTask = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));
