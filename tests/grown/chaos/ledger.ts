import { HistoryAnswer, Transcription, type TranscriptionSummary } from "#contract/index.ts";
import { base, type Person, read } from "#tests/server/harness.ts";

export type Made = "saved" | "uploaded" | "dictated" | "spoken";

/** One request of a user, and whether the server has acknowledged it. */
export interface Fact {
  made: Made;
  /** Unique among all titles. */
  title: string;
  /** The transcription's id, once acknowledged. */
  id: string | null;
  /** The expected text; from a real engine at least half of these words. */
  text: string;
  isReal: boolean;
  /** The expected audio; null: unknown or none. */
  audio: Buffer | null;
  /** Requested titles that were not acknowledged: the transcription may have one of them. */
  maybeTitles: string[];
  /** Whether its deletion was requested or acknowledged. */
  deletion: "no" | "asked" | "done";
  /** Whether an earlier check has found it complete and right. */
  isSettled: boolean;
}

type Summary = Pick<TranscriptionSummary, "id" | "title" | "status" | "error">;

/** Rows for each page of the history. */
const pageSize = 1_000;

/** One user's facts, and their comparison with the server. */
export class Ledger {
  readonly facts: Fact[] = [];

  add(
    made: Made,
    title: string,
    { text, audio = null, isReal = false }: { text: string; audio?: Buffer | null; isReal?: boolean },
  ): Fact {
    const fact: Fact = { made, title, id: null, text, isReal, audio, maybeTitles: [], deletion: "no", isSettled: false };
    this.facts.push(fact);
    return fact;
  }

  /**
   * Compares the facts with the server while this user does nothing.
   * @param all includes the text and audio of what was complete before
   * @returns what is missing, doubled, or failed without a fault of its own; and what is not complete yet
   */
  async check(person: Person, all: boolean): Promise<{ wrong: string[]; unfinished: string[] }> {
    const [wrong, unfinished]: [string[], string[]] = [[], []];
    const there = await historyOf(person);
    const byTitle = Map.groupBy(there, ({ title }) => title);
    const byId = Map.groupBy(there, ({ id }) => id);
    for (const fact of this.facts) {
      const named = new Set([...(byId.get(fact.id ?? "") ?? []), ...titlesOf(fact).flatMap((title) => byTitle.get(title) ?? [])]);
      const name = nameOf(fact, person);
      if (named.size > 1) wrong.push(`${name} is there ${named.size} times`);
      if (fact.id !== null && fact.deletion === "no" && named.size === 0) wrong.push(`${name} was acknowledged and is lost`);
      if (fact.deletion === "done" && named.size > 0) wrong.push(`${name} was deleted and is there again`);
      for (const { status, error } of named) if (status === "failed") wrong.push(`${name} has failed: ${JSON.stringify(error)}`);
      if (fact.id === null || fact.deletion !== "no" || (fact.isSettled && !all) || named.size !== 1) continue;
      const [{ status } = { status: "failed" }] = named;
      if (status === "failed") continue;
      if (status !== "completed") unfinished.push(`${name} is ${status}`);
      else {
        const faults = await faultsOf(person, fact, name);
        wrong.push(...faults);
        fact.isSettled = faults.length === 0;
      }
    }
    return { wrong, unfinished };
  }
}

const titlesOf = ({ title, maybeTitles }: Fact) => [title, ...maybeTitles];
const nameOf = ({ made, title }: Fact, { email }: Person) => `${made} "${title}" of ${email}`;

async function historyOf(person: Person): Promise<Summary[]> {
  const all: Summary[] = [];
  for (let page = 1; ; page += 1) {
    const query = `?limit=${pageSize}&page=${page}`;
    const { data } = await read(await person.call("GET", `${base}/transcription-history${query}`), 200, HistoryAnswer);
    all.push(...data);
    if (data.length < pageSize) return all;
  }
}

/** Compares the text and the audio. */
async function faultsOf(person: Person, fact: Fact, name: string): Promise<string[]> {
  const { text } = await read(await person.call("GET", `${base}/transcription/${fact.id}`), 200, Transcription);
  if (!saysWhatItShould(text, fact)) return [`${name} says "${text}" instead of "${fact.text}"`];
  if (fact.audio === null) return [];
  const answer = await person.call("GET", `${base}/transcription/${fact.id}/audio`);
  const audio = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) return [`${name} has lost its audio: ${answer.status} ${audio}`];
  if (audio.equals(fact.audio)) return [];
  const { audio: sent } = fact;
  const from = audio.findIndex((byte, index) => byte !== sent[index]);
  return [`${name} has ${audio.length} bytes of audio that are not the ${sent.length} that were sent, from byte ${from} on`];
}

function saysWhatItShould(text: string, { text: wanted, isReal }: Fact): boolean {
  if (!isReal) return text === wanted;
  const heard = new Set(wordsOf(text));
  const words = wordsOf(wanted);
  return words.filter((word) => heard.has(word)).length * 2 >= words.length;
}

const wordsOf = (text: string) => text.toLowerCase().match(/\p{L}+/gu) ?? [];
