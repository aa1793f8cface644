import { type Demand, load } from "./arrivals.ts";

/** The cost of each request in processor ms, and a person's requests on a working day. */
const requests = [
  { what: "session checks and renewals", ms: 0.7, perDay: 20 },
  { what: "sign-ins", ms: 39, perDay: 1 },
  { what: "pages of the history", ms: 1.7, perDay: 20 },
  { what: "searches", ms: 3.6, perDay: 10 },
  { what: "transcripts read", ms: 2, perDay: 5 },
  { what: "corrections saved", ms: 17.4, perDay: 10 },
] as const;

/** Measured by `npm run bench -- costs`; the units are in the names. */
const cost = {
  dictationSecondsPerMinute: 15.8,
  translationMsPer500Characters: 268,
  receivingSecondsPer100MB: 0.8,
  databaseKilobytesPerHour: 803,
} as const;

/**
 * Assumptions, not measured: minutes of dictation per person and working day, and megabytes per minute of MP3 at 128
 * kbit/s.
 */
const dictatedPerDay = 5;
const megabytesPerMinute = 0.96;
/** Spoken characters per minute. */
const charactersPerMinute = 900;

export interface Part {
  name: string;
  value: string;
}

const rounded = (value: number): string =>
  value < 10 ? value.toPrecision(2) : Math.round(value).toLocaleString("en", { maximumSignificantDigits: 3 });

/** The busiest hour's demand on each part other than the queue. All of it is proportional to the number of people. */
export function otherParts(demand: Demand): Part[] {
  const { people, minutesPerDay, peakShare } = demand;
  /** Busy processors in the busiest hour, for work that costs this many seconds per person and day. */
  const processors = (secondsPerDay: number) => (people * secondsPerDay * peakShare) / 3600;
  const answering = requests.reduce((sum, { ms, perDay }) => sum + (ms * perDay) / 1000, 0);
  const receiving = ((minutesPerDay * megabytesPerMinute) / 100) * cost.receivingSecondsPer100MB;
  const translating = ((dictatedPerDay * charactersPerMinute) / 500) * (cost.translationMsPer500Characters / 1000);
  const arriving = (load(demand).filesPerSecond * demand.minutesPerFile * megabytesPerMinute * 8) / 1000;
  const gigabytes = (people * minutesPerDay * megabytesPerMinute) / 1000;
  const rows = (people * (minutesPerDay + dictatedPerDay) * cost.databaseKilobytesPerHour) / 60 / 1e6;
  return [
    { name: "API: processors for requests and uploads", value: rounded(processors(answering + receiving)) },
    { name: "API: processors for live dictation", value: rounded(processors(dictatedPerDay * cost.dictationSecondsPerMinute)) },
    { name: "API: processors for live translation", value: rounded(processors(translating)) },
    { name: "arriving, Gbit/s", value: rounded(arriving) },
    { name: "files a working day, GB", value: rounded(gigabytes) },
    { name: "database a working day, GB", value: rounded(rows) },
  ];
}
