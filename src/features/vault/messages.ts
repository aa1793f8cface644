import type { TaskInputs, TaskName } from "./tasks.ts";

/** What the page asks the worker. */
export interface Question<Name extends TaskName> {
  id: number;
  name: Name;
  input: TaskInputs[Name];
}

/** What the worker answers: the task's output, or the code of why there is none. */
export type Answer = { id: number; output: unknown } | { id: number; code: string };
