import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { startRoundRobin } from "#tests/grown/harness-proxy.ts";
import { TestPayments } from "./actions/payments.ts";
import type { Installation } from "./installation.ts";
import { KillableProcess, killAsked, killed } from "./processes.ts";

/** Share of kills that hit a child process of the server instead of the server. */
const helperShare = 0.3;

/** One process with the embedded defaults and the test payments. The proxy hides that it restarts on another port. */
export async function openEmbeddedInstallation(): Promise<Installation> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await makeTemporaryFolder();
  cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const dataDir = join(folder, "data");
  await mkdir(dataDir, { mode: 0o700 });
  const lines: string[] = [];
  let server: KillableProcess | undefined;
  const proxy = cleanup.use(
    await startRoundRobin(() => (server?.isRunning === true && server.address !== "" ? [server.address] : [])),
  );
  const env = { PARLANCE_DATA: dataDir, API_URL: proxy.url, TRUST_PROXY: "1", BLOG_SCHEDULE: "* * * * *" };
  const only = new KillableProcess("server", env, lines);
  server = only;
  cleanup.defer(() => only.end());
  await only.start();
  const owned = cleanup.move();
  return {
    apiUrl: proxy.url,
    payments: new TestPayments(),
    kill: async (dice, helpers) => {
      const [isHelper, which] = [dice.chance(helperShare) && helpers, dice.next()];
      const running = isHelper ? await only.helpers() : [];
      const helper = running[Math.floor(which * running.length)];
      if (helper !== undefined && killed(helper)) return { name: "a helper of the server", isHelper: true };
      await only.kill();
      return { name: "the server", isHelper: false };
    },
    cutOff: () => killAsked(only, proxy),
    heal: () => only.start(),
    promote: async (email) => {
      using db = new DatabaseSync(join(dataDir, "parlance.db"), { timeout: 10_000 });
      db.prepare("update users set is_superuser = 1 where email = ?").run(email);
    },
    faults: () => only.faults,
    log: () => lines.join("\n"),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
