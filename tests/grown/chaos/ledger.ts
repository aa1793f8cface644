import { Transcription } from "#contract/index.ts";
import { base, type Person, read } from "#tests/server/harness.ts";
import { history } from "#tests/server/transcription/saved.ts";

/** What a person asked for, and whether the server has said that it is so. */
export interface Fact {
  kind: "saved" | "uploaded" | "dictated" | "spoken";
  /** Told apart from all others by its title. */
  title: string;
  /** The transcription's id, once acknowledged. */
  id: string | null;
  /** What it must say in the end. */
  text: string;
  /** Titles that were asked for without an answer: it may have one of them. */
  maybeTitles: string[];
  /** Deleting it was asked for, or was acknowledged. */
  deletion: "no" | "asked" | "done";
}

/** One person's facts, and what the server has of them. */
export class Ledger {
  readonly facts: Fact[] = [];

  add(kind: Fact["kind"], title: string, text: string): Fact {
    const fact: Fact = { kind, title, id: null, text, maybeTitles: [], deletion: "no" };
    this.facts.push(fact);
    return fact;
  }

  /**
   * Compares.
   * @param isEnd what was acknowledged must be complete, not only there
   * @returns what is missing, doubled, or failed without a fault of its own
   */
  async check(person: Person, isEnd = false): Promise<string[]> {
    // While somebody goes on, only what was so before and after the question can be held against the answer.
    const before = this.facts.map((fact) => ({
      fact,
      id: fact.id,
      deletion: fact.deletion,
      titles: [fact.title, ...fact.maybeTitles],
    }));
    const { data } = await history(person, "?limit=1000");
    const wrong: string[] = [];
    for (const { fact, id: known, deletion, titles } of before) {
      const named = data.filter(({ id, title }) => id === known || titles.includes(title));
      const name = `${fact.kind} "${fact.title}" of ${person.email}`;
      if (named.length > 1) wrong.push(`${name} is there ${named.length} times`);
      if (known !== null && fact.deletion === "no" && named.length === 0) wrong.push(`${name} is lost`);
      if (deletion === "done" && named.length > 0) wrong.push(`${name} is there again`);
      for (const { status, error } of named) if (status === "failed") wrong.push(`${name} has failed: ${JSON.stringify(error)}`);
      if (isEnd && fact.id !== null && fact.deletion === "no") wrong.push(...(await this.#checkText(person, fact, name)));
    }
    return wrong;
  }

  async #checkText(person: Person, fact: Fact, name: string): Promise<string[]> {
    const { status, text } = await read(await person.call("GET", `${base}/transcription/${fact.id}`), 200, Transcription);
    if (status !== "completed") return [`${name} is ${status}`];
    return text === fact.text ? [] : [`${name} says "${text}" instead of "${fact.text}"`];
  }
}
