import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { administer, startCluster } from "#tests/grown/harness-postgres.ts";
import { startRoundRobin } from "#tests/grown/harness-proxy.ts";
import { startS3 } from "#tests/grown/harness-s3.ts";
import type { Dice } from "#tests/page/session/simulated/time.ts";
import { StripePayments } from "./actions/stripe-payments.ts";
import type { Installation } from "./installation.ts";
import { KillableProcess, killAsked, killed } from "./processes.ts";

/** What can be killed; repeated entries are killed more often. */
const targets = ["api", "api", "api", "worker", "worker", "helper", "helper", "postgres", "postgres", "s3"] as const;

/**
 * Two API processes and two workers with their engines, on their own PostgreSQL and S3 server, behind a proxy. The
 * payment provider speaks Stripe's API.
 */
export async function openGrownInstallation(): Promise<Installation> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await makeTemporaryFolder();
  cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [cluster, s3, payments] = await Promise.all([startCluster(), startS3(), StripePayments.open()]);
  cleanup.defer(() => cluster.remove());
  cleanup.defer(() => s3.close());
  cleanup.defer(() => payments.close());
  await administer(cluster.url("postgres"), "create database parlance");
  const serving: KillableProcess[] = [];
  const proxy = cleanup.use(
    await startRoundRobin(() =>
      serving.filter(({ isRunning, address }) => isRunning && address !== "").map(({ address }) => address),
    ),
  );
  const lines: string[] = [];
  const common = {
    ...(await s3.newBucket()),
    ...payments.env,
    DATABASE_URL: cluster.url("parlance"),
    API_URL: proxy.url,
    TRUST_PROXY: "1",
    BLOG_SCHEDULE: "* * * * *",
  };
  const open = async (role: "api" | "worker", index: number) => {
    const dataDir = join(folder, `${role}-${index}`);
    await mkdir(dataDir, { mode: 0o700 });
    const node = new KillableProcess(`${role} ${index}`, { ...common, PARLANCE_ROLE: role, PARLANCE_DATA: dataDir }, lines);
    cleanup.defer(() => node.end());
    await node.start();
    return node;
  };
  // The first one creates the tables; the others start together.
  const first = await open("api", 1);
  const [second, ...workers] = await Promise.all([open("api", 2), open("worker", 1), open("worker", 2)]);
  serving.push(first, second);
  const nodes = [first, second, ...workers];

  const helperOf = async (which: number): Promise<boolean> => {
    const running = (await Promise.all(nodes.map((node) => node.helpers()))).flat();
    const helper = running[Math.floor(which * running.length)];
    return helper !== undefined && killed(helper);
  };
  const kill = async (dice: Dice, helpers: boolean) => {
    const [target, which] = [dice.pick(targets), dice.next()];
    if (target === "helper" && helpers && (await helperOf(which))) return { name: "a helper", isHelper: true };
    if (target === "postgres") {
      const how = which < 0.5 ? "crash" : "kill";
      await cluster.stop(how);
      return { name: `PostgreSQL (${how === "crash" ? "at once" : "SIGKILL"})`, isHelper: false };
    }
    if (target === "s3") {
      await s3.kill();
      return { name: "S3", isHelper: false };
    }
    const some = target === "api" ? serving : nodes;
    const node = some[Math.floor(which * some.length)] ?? first;
    await node.kill();
    return { name: node.name, isHelper: false };
  };
  const owned = cleanup.move();
  return {
    apiUrl: proxy.url,
    payments,
    kill,
    cutOff: (dice) => killAsked(serving[Math.floor(dice.next() * serving.length)] ?? first, proxy),
    heal: async () => {
      await cluster.start();
      if (!s3.isRunning()) await s3.restart();
      await Promise.all(nodes.map((node) => node.start()));
    },
    promote: (email) => administer(cluster.url("parlance"), `update users set is_superuser = 1 where email = '${email}'`),
    faults: () => nodes.flatMap(({ faults }) => faults),
    log: () => lines.join("\n"),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
