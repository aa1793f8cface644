import { VaultError } from "./encryption.ts";
import type { Answer, Question } from "./tasks.ts";
import { createTasks, type TaskName, type Tasks } from "./tasks.ts";

// Deriving a key from a passphrase takes a second, so it runs in a worker and does not block the page. The worker also
// holds the vault's key, so terminating it locks the vault.

const tasks: Tasks = createTasks();

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
