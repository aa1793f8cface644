import { Problem } from "#server/errors/problem.ts";
import { threadProgram, threadTasks } from "#server/processes/thread-tasks.ts";
import { openThreads, type Threads } from "#server/threads/threads.ts";
import { unlessAborted } from "#server/threads/unless-aborted.ts";

let threads: Threads | undefined;

/** The threads of all test servers of this process: loading a thread's modules takes longer than most tests. */
export function sharedThreads(): Threads {
  threads ??= openThreads(threadTasks, threadProgram);
  const { run } = threads;
  const closing = new AbortController();
  return {
    run: (...task) => unlessAborted(closing.signal, run(...task)),
    close: async () => closing.abort(new Problem("internal", "The server is stopping.")),
  };
}
