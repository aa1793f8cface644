// Computes the waiting time of jobs by a simulation of arrivals and workers. Erlang's formula and the real queue check
// it at a small size; then it computes ten, ten thousand and ten million people. docs/run/scaling.md explains the
// demand. Run: npm run bench -- queue
import { type Figure, quantile, report } from "./figures.ts";
import { busiestHour, type Demand, erlangC, exponential, load, seeded } from "./queue/arrivals.ts";
import { otherParts } from "./queue/parts.ts";
import { compareWithReal } from "./queue/real.ts";
import { type Arrival, type Policy, simulate } from "./queue/simulation.ts";

/** The allowed difference between a simulated mean wait and Erlang's, which is exact only over infinite time. */
const formulaTolerance = 0.05;
/** … and between it and the real queue's wait, which includes claims, writes and wake-ups. */
const realTolerance = 0.25;
/** Nineteen of twenty files start within this many seconds. */
const promisedSeconds = 30;

/** Above this average load, a queue never recovers from a machine that stopped for a while. */
const fullest = 0.9;

/** A person's use and its cost. The cost is that of the built-in model: npm run bench -- costs. */
const demand: Omit<Demand, "people"> = {
  minutesPerDay: 10,
  minutesPerFile: 15,
  peakShare: 0.15,
  secondsPerMinute: 2.2,
};

const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;

function againstFormula(): Figure {
  const random = seeded(15);
  const [rate, seconds, places] = [1.6, 1, 2];
  const arrivals: Arrival[] = [];
  for (let at = 0, person = 0; person < 400_000; person++) {
    at += exponential(random, 1 / rate);
    arrivals.push({ at, person, seconds: exponential(random, seconds) });
  }
  const ratio = mean(simulate(arrivals, { places }).waited) / erlangC(rate, seconds, places);
  return {
    name: "simulated mean wait, as a share of Erlang C's (two places, 80 % busy)",
    value: ratio.toFixed(3),
    limit: `1 ± ${formulaTolerance}`,
    ok: Math.abs(ratio - 1) <= formulaTolerance,
  };
}

async function againstReal(): Promise<Figure[]> {
  const { simulated, real, jobs } = await compareWithReal();
  const ratio = real / simulated;
  return [
    { name: "real queue", value: `${jobs} jobs, mean wait ${real.toFixed(3)} s, simulated ${simulated.toFixed(3)} s` },
    {
      name: "real mean wait, as a share of the simulated one",
      value: ratio.toFixed(3),
      limit: `1 ± ${realTolerance}`,
      ok: Math.abs(ratio - 1) <= realTolerance,
    },
  ];
}

/** One person uploads a hundred files of ten minutes at once; another person's file arrives a minute later. */
function fairness(): Figure[] {
  const seconds = 10 * demand.secondsPerMinute;
  const hundred = Array.from({ length: 100 }, (): Arrival => ({ at: 0, person: 1, seconds }));
  const arrivals = [...hundred, { at: 60, person: 2, seconds }];
  const wait = (policy: Policy) => simulate(arrivals, { places: 2, policy }).waited.at(-1) ?? Number.NaN;
  return [
    { name: "one file behind another person's hundred, in order of arrival", value: `${(wait("arrival") / 60).toFixed(1)} min` },
    {
      name: "… in turns",
      value: `${(wait("turns") / 60).toFixed(1)} min`,
      limit: `${(seconds / 60).toFixed(1)} min`,
      ok: wait("turns") <= seconds,
    },
  ];
}

/**
 * The seconds within which 95 % of the files start. Files from the first tenth of the time are left out: until then the
 * places fill.
 */
function startOf(arrivals: readonly Arrival[], places: number, from: number): number {
  const { waited } = simulate(arrivals, { places });
  const counted = waited.filter((_, index) => (arrivals[index]?.at ?? 0) >= from);
  return quantile(Array.from(counted), 0.95);
}

/** The fewest places that keep the promise in the busiest hour. */
function needed(people: number, seconds: number): Figure[] {
  const asked = { ...demand, people };
  const arrivals = busiestHour(asked, seeded(people), seconds);
  const { places: busy } = load(asked);
  let [low, high] = [Math.max(1, Math.ceil(busy / fullest)), Math.ceil(busy * 1.5) + 4];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (startOf(arrivals, middle, seconds / 10) <= promisedSeconds) high = middle;
    else low = middle + 1;
  }
  const start = startOf(arrivals, low, seconds / 10);
  const busyShare = ((100 * busy) / low).toFixed(0);
  const who = `${people.toLocaleString("en")} people`;
  return [
    {
      name: `${who}: workers' processors`,
      value: `${low.toLocaleString("en")} (${busyShare} % busy), 95 % of the files are begun within ${start.toFixed(1)} s`,
    },
    ...otherParts(asked).map(({ name, value }) => ({ name: `${who}: ${name}`, value })),
  ];
}

report([
  againstFormula(),
  ...(await againstReal()),
  ...fairness(),
  // For a few people the busiest hour is chance, so many hours are simulated in sequence.
  ...needed(10, 3600 * 500),
  ...needed(10_000, 3600 * 2),
  ...needed(10_000_000, 300),
]);
