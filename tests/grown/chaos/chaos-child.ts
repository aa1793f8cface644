import { randomUUID } from "node:crypto";
import { flushCompileCache } from "node:module";
import { setTimeout } from "node:timers/promises";
import type { Generator } from "#server/blog-admin/generator.ts";
import { readConfig } from "#server/config/config.ts";
import { startWorkerProcess } from "#server/processes/worker-process.ts";
import { startServer } from "#server/start.ts";
import { quickPasswords } from "#tests/server/quick-passwords.ts";
import { chaosParts } from "./engines.ts";

/** Time to write a post in ms, long enough for kills in the middle. */
const writingMs = 150;

const generator: Generator = {
  available: true,
  model: "test",
  generate: () => Promise.reject(new Error("not asked for")),
  generateUnique: async () => {
    await setTimeout(writingMs);
    const title = `Post ${randomUUID()}`;
    return { title, summary: "", topics: ["News"], language: "en", content: `# ${title}\n\nWords.` };
  },
};

/** A server or worker that a test can kill and that always ends with the test. Prints its address when it is ready. */
async function start(): Promise<string> {
  // Kills its whole process group, which has all the processes that it has started.
  process.stdin.once("end", () => process.kill(-process.pid, "SIGKILL")).resume();
  process.umask(0o077);
  const config = readConfig(process.env);
  const parts = chaosParts();
  if (config.role === "worker") {
    await startWorkerProcess(config, parts);
    return "worker";
  }
  const quick = { passwords: quickPasswords, liveTimes: { syncMs: 0 }, postLeaseMs: 2_000 };
  const { apiUrl } = await startServer(config, { ...parts, ...quick, generator, print: () => {} });
  return apiUrl;
}

const ready = await start();
// Now, because this process will be killed.
flushCompileCache();
console.log(`ready ${ready}`);
