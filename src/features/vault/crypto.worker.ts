import { VaultError } from "./keys.ts";
import type { Answer, Question } from "./messages.ts";
import { createTasks, type TaskName } from "./tasks.ts";

// A thread of its own: a passphrase takes a second of work, and the page must not stand still meanwhile. It is also where a vault's
// key lives: locking ends the thread.

const tasks = createTasks();

async function answerTo<Name extends TaskName>({ id, name, input }: Question<Name>): Promise<Answer> {
  try {
    return { id, output: await tasks[name](input) };
  } catch (error) {
    return { id, code: error instanceof VaultError ? error.code : "internal" };
  }
}

addEventListener("message", async ({ data }: MessageEvent<Question<TaskName>>) => {
  const answer = await answerTo(data);
  const transfer = "output" in answer && answer.output instanceof Uint8Array ? [answer.output.buffer] : [];
  postMessage(answer, { transfer });
});
