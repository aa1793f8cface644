import * as v from "valibot";
import { Transcription, UrlAnswer, Vault, VaultItem } from "#contract/index.ts";
import { createKeys, encryptFor, type NewKeys } from "#src/features/vault/encryption.ts";
import type { Dice } from "#tests/page/session/simulated/time.ts";
import { allWords, Dictation, textOf } from "#tests/server/dictation/dictation.ts";
import { base, type Person, read, uploadForm } from "#tests/server/harness.ts";
import { spokenWav } from "#tests/server/jobs/scripted.ts";
import { change, save } from "#tests/server/transcription/saved.ts";
import { append, begin as beginUpload, idOf, offsetOf } from "#tests/server/uploads/tus.ts";
import { metaOf, vaults } from "#tests/server/vault/vaults.ts";
import { type Fact, Ledger } from "./ledger.ts";

/** How long somebody waits before a request that had no answer is made again (milliseconds). */
const retryMs = 25;

/** Nothing takes longer from its first request to its acknowledgement, however often something is killed meanwhile (milliseconds). */
const longestMs = 120_000;

/** The server has answered what nobody may be answered because something was killed. */
export class Contradiction extends Error {
  override readonly name = "Contradiction";
}

/** What a person has in the vault. */
interface Kept {
  id: string;
  bytes: Buffer;
}

/** Somebody who uses everything, and asks again when no answer comes. */
export class Inhabitant {
  readonly ledger = new Ledger();
  readonly kept: Kept[] = [];
  readonly #person: Person;
  readonly #dice: Dice;
  readonly #isOver: () => boolean;
  #keys: NewKeys | undefined;
  #count = 0;
  /** Requests that were acknowledged, and those that had no answer. */
  readonly counts = { acknowledged: 0, unanswered: 0 };

  /** @param isOver whether there is nothing to begin any more */
  constructor(person: Person, dice: Dice, isOver: () => boolean) {
    [this.#person, this.#dice, this.#isOver] = [person, dice, isOver];
  }

  /** Does one thing after another until it is over. @throws Contradiction */
  async live(): Promise<void> {
    await this.#subscribe();
    await this.#makeVault();
    const acts = [
      this.#save,
      this.#save,
      this.#correct,
      this.#delete,
      this.#upload,
      this.#uploadInParts,
      this.#dictate,
      this.#talk,
      this.#keep,
    ];
    while (!this.#isOver()) await this.#dice.pick([this.#save, ...acts]).call(this);
  }

  /** What is in the vault is there, byte for byte. */
  async checkVault(): Promise<string[]> {
    const wrong: string[] = [];
    for (const { id, bytes } of this.kept) {
      const answer = await this.#person.call("GET", `${vaults}/${id}/content`);
      const isSame = answer.status === 200 && Buffer.from(await answer.arrayBuffer()).equals(bytes);
      if (!isSame) wrong.push(`an item of ${this.#person.email}'s vault is not as it was put in: ${answer.status}`);
    }
    return wrong;
  }

  /** Until it is acknowledged: what has no answer, or a server's that is just going, is asked again. */
  async #until<T>(ask: () => Promise<T>): Promise<T> {
    const until = Date.now() + longestMs;
    let last: unknown;
    for (;;) {
      if (Date.now() > until) throw new Contradiction(`not acknowledged in ${longestMs / 1000} s: ${ask}`, { cause: last });
      try {
        const answer = await inTime(ask(), until);
        this.counts.acknowledged += 1;
        return answer;
      } catch (error) {
        if (error instanceof Contradiction || !isNoAnswer(error)) throw new Contradiction(String(error), { cause: error });
        this.counts.unanswered += 1;
        last = error;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  #name(kind: string): string {
    this.#count += 1;
    return `${kind} ${this.#count} of ${this.#person.email}`;
  }

  async #subscribe(): Promise<void> {
    const body = { plan: "premium", interval: "month" };
    const { url } = await this.#until(async () => {
      const answer = await this.#person.call("POST", "/subscriptions/account/checkout-session", body);
      return read(answer, 200, UrlAnswer);
    });
    await this.#until(async () => {
      const answer = await fetch(`${url}/pay`, { method: "POST", redirect: "manual" });
      if (answer.status !== 303) throw new Error(`expected 303, got ${answer.status}: ${await answer.text()}`);
    });
  }

  async #makeVault(): Promise<void> {
    const keys = await createKeys("correct horse battery", 2);
    await this.#until(async () => {
      const answer = await this.#person.call("POST", `${vaults}/vault`, keys.vault);
      // Its first answer was lost.
      if (answer.status !== 409) await read(answer, 201, Vault);
    });
    this.#keys = keys;
  }

  async #save(): Promise<void> {
    const title = this.#name("saved");
    const fact = this.ledger.add("saved", title, `what ${title} says`);
    const draft = { clientId: crypto.randomUUID(), title, text: fact.text };
    fact.id = (await this.#until(() => save(this.#person, draft))).id;
  }

  #pickSaved(): Fact | undefined {
    const all = this.ledger.facts.filter(({ kind, id, deletion }) => kind === "saved" && id !== null && deletion === "no");
    return all[this.#dice.between(0, all.length - 1)];
  }

  async #correct(): Promise<void> {
    const fact = this.#pickSaved();
    if (fact?.id == null) return;
    const title = this.#name("corrected");
    fact.maybeTitles.push(title);
    const { id } = fact;
    await this.#until(() => change(this.#person, id, { title }));
    [fact.title, fact.maybeTitles] = [title, []];
  }

  async #delete(): Promise<void> {
    const fact = this.#pickSaved();
    if (fact?.id == null) return;
    fact.deletion = "asked";
    await this.#until(async () => {
      const answer = await this.#person.call("DELETE", `/audio/remove-transcription/${fact.id}`);
      // It is gone already: the first answer was lost.
      if (!answer.ok && answer.status !== 404) throw new Error(`expected 200, got ${answer.status}: ${await answer.text()}`);
    });
    fact.deletion = "done";
  }

  async #upload(): Promise<void> {
    const title = this.#name("uploaded");
    const fact = this.ledger.add("uploaded", title, "one two");
    const fields = { clientId: crypto.randomUUID(), title };
    const wav = spokenWav(this.#dice.between(1, 3));
    const answered = await this.#until(async () => {
      const form = uploadForm(wav, { fields, name: `${title}.wav` });
      return read(await this.#person.call("POST", `${base}/upload-and-transcribe`, form), 202, Transcription);
    });
    fact.id = answered.id;
  }

  async #uploadInParts(): Promise<void> {
    const title = this.#name("sent in parts");
    const fact = this.ledger.add("uploaded", title, "one two");
    const wav = spokenWav(2);
    const fields = { clientId: crypto.randomUUID(), sourceLanguage: "en", filename: `${title}.wav` };
    const path = await this.#until(() => beginUpload(this.#person, { size: wav.length, fields }));
    let offset = 0;
    const until = Date.now() + longestMs;
    let last = "no answer";
    while (offset < wav.length) {
      if (Date.now() > until) throw new Contradiction(`an upload gets no further than ${offset} of ${wav.length} bytes: ${last}`);
      offset = await this.#until(() => offsetOf(this.#person, path));
      const body = wav.subarray(offset, offset + this.#dice.between(5_000, 30_000));
      const part = await inTime(append(this.#person, this.#person, path, { offset, body }), until).catch(() => undefined);
      last = part === undefined ? "no answer" : `${part.status} ${await part.text().catch(String)}`;
      if (part?.status === 204) offset = Number(part.headers.get("Upload-Offset"));
    }
    fact.id = idOf(path);
  }

  async #dictate(): Promise<void> {
    const title = this.#name("dictated");
    const seconds = this.#dice.between(2, 6);
    const fact = this.ledger.add("dictated", title, allWords(seconds));
    const recordingId = crypto.randomUUID();
    const segments = await this.#until(() => this.#record(recordingId, seconds * 5));
    const draft = { clientId: crypto.randomUUID(), recordingId, title, text: textOf(segments), segments };
    fact.id = (await this.#until(() => save(this.#person, draft))).id;
  }

  /** A connection that is cut goes on from the frames that were confirmed. */
  async #record(recordingId: string, frames: number) {
    const live = await Dictation.start(this.#person.apiUrl, this.#person.token, recordingId);
    try {
      const ready = live.messages.find((message) => message.type === "ready");
      live.sendFrames(ready?.ack ?? 0, frames);
      live.say({ type: "end", frames });
      return (await live.next("done")).segments;
    } finally {
      await live.cut();
    }
  }

  async #talk(): Promise<void> {
    const title = this.#name("conversation");
    const turns = this.#dice.between(1, 3);
    const fact = this.ledger.add("spoken", title, Array.from({ length: turns }, (_, turn) => `turn ${turn}`).join(" "));
    const conversation = crypto.randomUUID();
    for (let turn = 0; turn < turns; turn++) {
      const path = `${base}/conversations/${conversation}/turns/${crypto.randomUUID()}`;
      const segment = { start: 0, end: 0, text: `turn ${turn}`, words: [], translation: `vez ${turn}` };
      const date = new Date(Date.UTC(2026, 2, 1, 12, turn)).toISOString();
      const languages = { languages: ["en", "es-ES"], sourceLanguage: "en", targetLanguage: "es" };
      const body = { title, date, ...languages, segments: [segment] };
      const said = await this.#until(async () => read(await this.#person.call("PUT", path, body), 200, Transcription));
      if (turn === turns - 1) fact.id = said.id;
    }
  }

  async #keep(): Promise<void> {
    if (this.#keys === undefined) return;
    const bytes = Buffer.from(await encryptFor(this.#keys.vault.recipient, "x".repeat(this.#dice.between(20_000, 80_000))));
    const item = { clientId: crypto.randomUUID(), size: bytes.length, meta: await metaOf(this.#keys, "A talk") };
    const begun = await this.#until(async () => read(await this.#person.call("POST", vaults, item), 201, VaultItem));
    let { received } = begun;
    const until = Date.now() + longestMs;
    while (received < bytes.length) {
      if (Date.now() > until) throw new Contradiction(`a vault item gets no further than ${received} of ${bytes.length} bytes`);
      ({ received } = await this.#until(async () =>
        read(await this.#person.call("GET", `${vaults}/${begun.id}`), 200, VaultItem),
      ));
      if (received >= bytes.length) break;
      const part = bytes.subarray(received, received + this.#dice.between(5_000, 40_000));
      received = (await inTime(this.#put(begun.id, received, part), until)) ?? received;
    }
    this.kept.push({ id: begun.id, bytes });
  }

  /** @returns how much has come; undefined without an answer */
  async #put(id: string, offset: number, part: Buffer): Promise<number | undefined> {
    const headers = { Authorization: `Bearer ${this.#person.token}`, "Content-Type": "application/octet-stream" };
    const address = `${this.#person.apiUrl}${vaults}/${id}/content?offset=${offset}`;
    const answer = await fetch(address, { method: "PUT", headers, body: new Uint8Array(part) }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (answer === undefined || text === undefined || answer.status === 409 || answer.status >= 500) return undefined;
    if (answer.status !== 200) throw new Contradiction(`a part of a vault item is answered with ${answer.status}: ${text}`);
    return v.parse(VaultItem, JSON.parse(text)).received;
  }
}

/** @throws Error when there is nothing by then (epoch ms) */
async function inTime<T>(answer: Promise<T>, until: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("fetch failed: no answer in time")), until - Date.now());
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** No answer, one that was cut off, or a server's that goes or cannot just now: it was not done, or nobody knows. */
function isNoAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const text = `${error.message} ${error.cause instanceof Error ? error.cause.message : ""}`;
  return /fetch failed|terminated|ECONN|EPIPE|socket|other side closed|closed before|Unexpected server response|expected 20\d, got 50[0234]/i.test(
    text,
  );
}
