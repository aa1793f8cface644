import { expect, onTestFinished, test } from "vitest";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { type Holdings, type Measured, startMeasured } from "./measured.ts";
import { slopeOf } from "./slope.ts";
import { Visitor } from "./visitor.ts";

// A server under a steady mixed load, with many requests broken off, must always return to the same open resources.
// `npm run endurance -- --minutes 30` also measures memory and disk, with the machine's engines.

/** Set only by `npm run endurance`. */
const minutes = Number(process.env.ENDURANCE_MINUTES ?? 0);
const people = 3;

/** One simultaneous visit of each visitor. @throws the first error of a visit */
async function visits(visitors: readonly Visitor[]): Promise<void> {
  const ended = await Promise.allSettled(visitors.map((visitor) => visitor.visit()));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}

/** Resources of each kind beyond those before. */
function beyond({ open }: Holdings, before: Holdings): Record<string, number> {
  return Object.fromEntries(Object.entries(open).filter(([kind, count]) => count > (before.open[kind] ?? 0)));
}

/** Waits until the visits' resources are released: kept connections, idle engines. */
async function expectNothingMore(server: Measured, before: Holdings): Promise<Holdings> {
  let now = await server.measure();
  await expect
    .poll(
      async () => {
        now = await server.measure();
        return beyond(now, before);
      },
      { timeout: timeLimit(120_000), interval: 1_000 },
    )
    .toEqual({});
  expect(now.abandoned).toEqual([]);
  return now;
}

// PROMISE limits: Memory, handles and disk stay flat, however long the server runs
test("leaves no file, socket, timer or process open after a visit that uses and aborts everything", async () => {
  const server = await startMeasured(false);
  onTestFinished(() => server.close());
  const visitors = Array.from({ length: 2 }, () => new Visitor(server));
  // Creates the threads, processes and caches that stay.
  for (let round = 0; round < 2; round++) await visits(visitors);
  const before = await untilCalm(server);
  await visits(visitors);
  for (const visitor of visitors) await visitor.leave();
  await expectNothingMore(server, before);
});

/** The holdings once two measurements in a row are equal. */
async function untilCalm(server: Measured): Promise<Holdings> {
  let last = await server.measure();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    const next = await server.measure();
    if (JSON.stringify(next.open) === JSON.stringify(last.open)) return next;
    last = next;
  }
}

/** Allowed growth per hour in bytes: a hundredth of a leak of one answer per visit. */
const perHour = { heapUsed: 8 * 2 ** 20, external: 8 * 2 ** 20, rss: 48 * 2 ** 20, disk: 16 * 2 ** 20 } as const;

test.skipIf(minutes === 0)(
  `keeps memory, handles and disk flat over ${minutes} minutes`,
  async () => {
    const server = await startMeasured(true);
    onTestFinished(() => server.close());
    const visitors = Array.from({ length: people }, () => new Visitor(server));
    const began = performance.now();
    const passed = () => (performance.now() - began) / 60_000;
    const samples: { at: number; held: Holdings }[] = [];
    while (passed() < minutes) {
      const until = passed() + Math.min(1, minutes / 10);
      while (passed() < until) await visits(visitors);
      const [gone] = visitors;
      if (samples.length % 10 === 9) await gone?.leave();
      samples.push({ at: passed(), held: await untilCalm(server) });
      const { memory, disk, open, abandoned } = samples.at(-1)?.held ?? expect.fail();
      const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
      const facts = `heap ${mb(memory.heapUsed)}, external ${mb(memory.external)}, rss ${mb(memory.rss)}, disk ${mb(disk)} MiB`;
      const count = visitors.reduce((sum, visitor) => sum + visitor.visits, 0);
      console.log(`${passed().toFixed(1)} min, ${count} visits: ${facts}, ${JSON.stringify(open)}`);
      expect(abandoned).toEqual([]);
    }
    // The first third fills caches and lets the heap find its size.
    const measured = samples.slice(Math.ceil(samples.length / 3));
    // Pools of processes and threads vary. A leak has more in every sample of the later half than in any of the earlier
    // half.
    const half = Math.ceil(measured.length / 2);
    const counts = (kind: string, some: typeof measured) => some.map(({ held }) => held.open[kind] ?? 0);
    const kinds = new Set(measured.flatMap(({ held }) => Object.keys(held.open)));
    const grown = [...kinds].filter(
      (kind) => Math.min(...counts(kind, measured.slice(half))) > Math.max(...counts(kind, measured.slice(0, half))),
    );
    expect(grown).toEqual([]);
    const slope = (of: (held: Holdings) => number) => 60 * slopeOf(measured.map(({ at, held }) => ({ at, value: of(held) })));
    const slopes = {
      heapUsed: slope(({ memory }) => memory.heapUsed),
      external: slope(({ memory }) => memory.external),
      rss: slope(({ memory }) => memory.rss),
      disk: slope(({ disk }) => disk),
    };
    console.log(`in an hour: ${JSON.stringify(slopes)}`);
    expect(slopes.heapUsed).toBeLessThan(perHour.heapUsed);
    expect(slopes.external).toBeLessThan(perHour.external);
    expect(slopes.rss).toBeLessThan(perHour.rss);
    expect(slopes.disk).toBeLessThan(perHour.disk);
  },
  (minutes + 10) * 60_000,
);
