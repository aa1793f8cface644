// A thread program with odd tasks, for tests.
import { serveThread } from "#server/threads/serve.ts";

export const oddTasks = {
  same: (input: string): string => input,
  hangs: (): never => {
    for (;;);
  },
  waits: (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 400)),
  fills: (): never => {
    const all: number[][] = [];
    for (;;) all.push(Array.from({ length: 100_000 }, (_, at) => at));
  },
  ends: (): never => process.exit(1),
};

serveThread(oddTasks);
