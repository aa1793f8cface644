import { flushCompileCache } from "node:module";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readConfig } from "#server/config.ts";
import { startServer } from "#server/start.ts";
import { scriptedEngines, scriptedTranslation, segment } from "#tests/server/jobs/scripted.ts";
import { quickPasswords } from "#tests/server/quick-passwords.ts";

/** A piece takes this long, so that many are killed half-way (milliseconds). */
const pieceMs = 40;
let posts = 0;

/** A server on the embedded defaults that a test can kill: it hears and writes what the test knows beforehand. */
const running = await startServer(readConfig(process.env), {
  engines: scriptedEngines({
    parallel: 3,
    transcribe: async (pcm) => {
      await setTimeout(pieceMs);
      return [segment("one two", 0, pcm.length / 32_000)];
    },
  }),
  translation: scriptedTranslation(),
  generator: {
    available: true,
    model: "test",
    generate: () => Promise.reject(new Error("not asked for")),
    generateUnique: async () => {
      posts += 1;
      const title = `Post ${process.pid} ${posts}`;
      await setTimeout(pieceMs);
      return { title, summary: "", topics: ["News"], language: "en", content: `# ${title}\n\nWords.` };
    },
  },
  passwords: quickPasswords,
  workerTimes: { pollMs: 15, beatMs: 30 },
  quarantine: {
    program: fileURLToPath(new URL("../../server/jobs/child-quarantine.ts", import.meta.url)),
    pollMs: 15,
    killedWaitMs: 20,
    silentMs: 10_000,
  },
  liveTimes: { syncMs: 0 },
  print: () => {},
});
flushCompileCache();
console.log(running.apiUrl);
