/** Lets the page or the worker do what waits: draw, react, read its messages. */
export const nextTask = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));
