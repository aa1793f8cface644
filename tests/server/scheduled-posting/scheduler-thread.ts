import { parentPort, workerData } from "node:worker_threads";
import { object, optional, parse, string } from "valibot";
import { createLocalBus } from "#server/bus/bus.ts";
import { readConfig } from "#server/config/config.ts";
import { openDb } from "#server/db/open.ts";
import { createLog } from "#server/log/log.ts";
import { threadProgram, threadTasks } from "#server/processes/thread-tasks.ts";
import { openScheduler } from "#server/scheduled-posting/schedule.ts";
import { openThreads } from "#server/threads/threads.ts";

/**
 * Runs scheduled posting in its own thread, on a database that other threads use at the same time. Each message is a
 * time (epoch ms); the thread runs what is due then and answers "done".
 */
const Data = object({ dataDir: string(), url: optional(string()), name: string(), expression: string() });
const { dataDir, url, name, expression } = parse(Data, workerData);
let at = 0;
const log = createLog("error", () => at);
let posts = 0;
const write = async () => {
  posts += 1;
  return { title: `${name} ${posts}`, summary: "", topics: [], content: "Words.", language: "en" };
};
let scheduler: Awaited<ReturnType<typeof openScheduler>> | undefined;
parentPort?.on("message", async (now: number) => {
  at = now;
  scheduler ??= await openScheduler({
    db: await openDb(dataDir, url),
    now: () => at,
    log,
    bus: createLocalBus(log),
    config: readConfig({ BLOG_SCHEDULE: expression }),
    threads: openThreads(threadTasks, threadProgram),
    generator: { available: true, model: null, generate: write, generateUnique: write },
  });
  await scheduler.runDue();
  parentPort?.postMessage("done");
});
