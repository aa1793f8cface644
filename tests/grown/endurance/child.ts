import { promises } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { setTimeout } from "node:timers/promises";

// The real server, which reports its open resources on request. Node 26 ends the process when it collects a file handle
// that nobody closed; here the place of its opening is reported instead.

const abandoned: string[] = [];
const collected = new FinalizationRegistry<{ isClosed: boolean; openedAt: string }>(({ isClosed, openedAt }) => {
  if (!isClosed) abandoned.push(openedAt);
});
const openHandle = promises.open.bind(promises);
promises.open = async (...args) => {
  const noted = { isClosed: false, openedAt: new Error("opened").stack ?? "" };
  const handle = await openHandle(...args);
  const close = handle.close.bind(handle);
  handle.close = () => {
    noted.isClosed = true;
    return close();
  };
  collected.register(handle, noted);
  return handle;
};
syncBuiltinESMExports();

// Imported after the patch, so that their `open` is the patched one.
const { readConfig } = await import("#server/config/config.ts");
const { startServer } = await import("#server/start.ts");
const { scriptedEngines, scriptedTranslation } = await import("#tests/server/jobs/scripted.ts");
const { quickPasswords } = await import("#tests/server/quick-passwords.ts");

const engines = process.argv[2] === "real" ? {} : { engines: scriptedEngines(), translation: scriptedTranslation() };
const running = await startServer(readConfig(process.env), { ...engines, passwords: quickPasswords, print: () => {} });

process.on("message", async () => {
  await running.sweep();
  for (let time = 0; time < 3; time++) {
    globalThis.gc?.();
    // Finalizers run in a task of their own.
    await setTimeout(50);
  }
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ heapUsed, external, rss, resources, abandoned });
});
process.send?.({ apiUrl: running.apiUrl, pageUrl: running.pageUrl });
