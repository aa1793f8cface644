import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { LoginAnswer, Transcription, tryOutPath, UrlAnswer, Vault, VaultItem } from "#contract/index.ts";
import { createKeys, encryptFor, type NewKeys } from "#src/features/vault/encryption.ts";
import { Dictation } from "#tests/server/dictation/dictation.ts";
import { asPerson, base, type Person, post, read, signUp, uploadForm } from "#tests/server/harness.ts";
import { fixture } from "#tests/server/speech/sound.ts";
import { change, history, save } from "#tests/server/transcription/saved.ts";
import { append, begin, idOf, offsetOf, terminate } from "#tests/server/uploads/tus.ts";
import { metaOf, putBytes, vaults } from "#tests/server/vault/vaults.ts";
import type { Measured } from "./measured.ts";

type Server = Pick<Measured, "apiUrl" | "pageUrl">;

const password = "correct horse";
const recording = Buffer.from(await readFile(fixture("harbor.wav")));
/** 200 ms of the recording after a frame number, as a page sends it. */
const frames = Array.from({ length: 15 }, (_, number) => {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(number);
  return Buffer.concat([head, recording.subarray(44 + number * 6_400, 44 + (number + 1) * 6_400)]);
});

/** A user who uses everything, breaks off many requests, deletes what they made, and signs out. */
export class Visitor {
  readonly #server: Server;
  #email = "";
  #keys: NewKeys | undefined;
  /** Number of successful visits. */
  visits = 0;

  constructor(server: Server) {
    this.#server = server;
  }

  /** One visit, which leaves only the account behind. */
  async visit(): Promise<void> {
    if (this.#email === "") await this.#begin();
    const login = await post(this.#server, "/auth/login", { email: this.#email, password });
    const cookie = login.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
    const person = asPerson(this.#server, (await read(login, 200, LoginAnswer)).accessToken, this.#email);
    const leave = new AbortController();
    const news = this.#follow(person, `${base}/events`, () => false, leave.signal);
    for (const act of this.#acts()) await act.call(this, person);
    await this.#removeAll(person);
    leave.abort();
    await news;
    await expectStatus(await post(this.#server, "/auth/refresh", {}, { Cookie: cookie }), 200).then(async (answer) => {
      const renewed = answer.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
      await expectStatus(await post(this.#server, "/auth/logout", {}, { Cookie: renewed }), 200, 204);
    });
    this.visits += 1;
  }

  /** Deletes the account with all its data. */
  async leave(): Promise<void> {
    const login = await post(this.#server, "/auth/login", { email: this.#email, password });
    const person = asPerson(this.#server, (await read(login, 200, LoginAnswer)).accessToken, this.#email);
    await save(person, { title: "left behind", text: "what goes with the account" });
    await expectStatus(await person.call("DELETE", "/users/me", { password }), 200, 204);
    this.#email = "";
  }

  #acts() {
    return [
      this.#lookAround,
      this.#dictate,
      this.#upload,
      this.#uploadInParts,
      this.#breakOff,
      this.#keep,
      this.#translate,
      this.#talk,
      this.#tryOut,
      this.#misbehave,
    ];
  }

  async #begin(): Promise<void> {
    const person = await signUp(this.#server);
    const plan = { plan: "premium", interval: "month" };
    const { url } = await read(await person.call("POST", "/subscriptions/account/checkout-session", plan), 200, UrlAnswer);
    await expectStatus(await fetch(`${url}/pay`, { method: "POST", redirect: "manual" }), 303);
    this.#keys = await createKeys("correct horse battery", 2);
    await read(await person.call("POST", `${vaults}/vault`, this.#keys.vault), 201, Vault);
    this.#email = person.email;
  }

  async #lookAround(person: Person): Promise<void> {
    for (const path of ["/users/me", "/users/me/sessions", "/users/me/vocabulary", "/api/v1/engines", "/languages", "/blog"]) {
      await expectStatus(await person.call("GET", path), 200, 404);
    }
    await expectStatus(await fetch(this.#server.pageUrl), 200, 503);
    await history(person, "?limit=100&search=harbor");
  }

  /** A dictation that is cut off in the middle and then finished. */
  async #dictate(person: Person): Promise<void> {
    const first = await Dictation.start(this.#server.apiUrl, person.token);
    for (const frame of frames.slice(0, 5)) first.sendBytes(frame);
    await first.acked(5);
    await first.cut();
    const live = await Dictation.start(this.#server.apiUrl, person.token, first.recordingId);
    for (const frame of frames.slice(5)) live.sendBytes(frame);
    live.say({ type: "end", frames: frames.length });
    const { segments } = await live.next("done");
    await live.closed;
    await save(person, { recordingId: first.recordingId, title: "dictated", text: "what was said", segments });
  }

  async #upload(person: Person): Promise<void> {
    const form = uploadForm(Uint8Array.from(recording), { fields: { targetLanguage: "es" } });
    const { id } = await read(await person.call("POST", `${base}/upload-and-transcribe`, form), 202, Transcription);
    await this.#untilMade(person, id);
    const path = `${base}/transcription/${id}`;
    for (const format of ["txt", "srt", "vtt", "json", "docx", "pdf", "md", "html"]) {
      await expectStatus(await person.call("GET", `${path}/export?format=${format}`), 200);
    }
    await expectStatus(await person.call("GET", `${path}/audio`), 200);
    await expectStatus(await person.call("GET", `${path}/audio`, undefined, { Range: "bytes=100-5000" }), 206);
    await this.#goAway(person, `${path}/audio`);
    await this.#goAway(person, `${path}/export?format=docx`);
    await change(person, id, { title: "another title", text: "another text altogether" });
  }

  async #uploadInParts(person: Person): Promise<void> {
    const given = await begin(person, { size: recording.length });
    await append(this.#server, person, given, { offset: 0, body: Uint8Array.from(recording.subarray(0, 10_000)) });
    await terminate(person, given);
    const path = await begin(person, { size: recording.length });
    const cut = new AbortController();
    const sending = append(this.#server, person, path, {
      offset: 0,
      body: endless(recording.subarray(0, 20_000)),
      signal: cut.signal,
    });
    sending.catch(() => {});
    setImmediate(() => cut.abort());
    await sending.catch(() => {});
    // A part that was cut off may still be being written.
    for (let offset = await offsetOf(person, path); offset < recording.length; offset = await offsetOf(person, path)) {
      await append(this.#server, person, path, { offset, body: Uint8Array.from(recording.subarray(offset)) });
    }
    await this.#untilMade(person, idOf(path));
  }

  /** Breaks off while a form and a vault's part are being sent. */
  async #breakOff(person: Person): Promise<void> {
    const begun = await this.#beginItem(person, 50_000);
    for (const [method, path, type] of [
      ["POST", `${base}/upload-and-transcribe`, "multipart/form-data; boundary=x"],
      ["PUT", `${vaults}/${begun.id}/content?offset=0`, "application/octet-stream"],
    ] as const) {
      const headers = { Authorization: `Bearer ${person.token}`, "Content-Type": type, "Content-Length": "50000" };
      const sent = request(new URL(path, this.#server.apiUrl), { method, headers, agent: false });
      sent.on("error", () => {});
      const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n';
      await new Promise((resolve) => sent.write(`${part}${"x".repeat(20_000)}`, resolve));
      const closed = new Promise((resolve) => sent.once("close", resolve));
      sent.destroy();
      await closed;
    }
    await expectStatus(await person.call("DELETE", `${vaults}/${begun.id}`), 200, 204);
  }

  async #beginItem(person: Person, size: number): Promise<VaultItem> {
    if (this.#keys === undefined) throw new Error("You have no vault.");
    const item = { clientId: crypto.randomUUID(), size, meta: await metaOf(this.#keys, "A talk") };
    return read(await person.call("POST", vaults, item), 201, VaultItem);
  }

  async #keep(person: Person): Promise<void> {
    const cipher = await encryptFor(this.#keys?.vault.recipient ?? "", "x".repeat(300_000));
    const { id } = await this.#beginItem(person, cipher.length);
    await read(await putBytes(this.#server, person, `${vaults}/${id}/content?offset=0`, cipher), 200, VaultItem);
    await this.#goAway(person, `${vaults}/${id}/content`);
    await expectStatus(await person.call("GET", `${vaults}/${id}/content`), 200);
    await expectStatus(await person.call("DELETE", `${vaults}/${id}`), 200, 204);
  }

  async #translate(person: Person): Promise<void> {
    const wish = { text: "the ship goes out", source: "en", target: "es" };
    await expectStatus(await person.call("POST", "/api/v1/translations", wish), 200);
    const spoken = { text: "The ship goes out again. And comes back.", language: "en", rate: 1 };
    await expectStatus(await person.call("POST", "/api/v1/speech", spoken), 200, 503);
  }

  async #talk(person: Person): Promise<void> {
    const path = `${base}/conversations/${crypto.randomUUID()}/turns/${crypto.randomUUID()}`;
    const segment = { start: 0, end: 0, text: "good morning", words: [], translation: "buenos días" };
    const languages = { languages: ["en", "es-ES"], sourceLanguage: "en", targetLanguage: "es" };
    const body = { title: "talk", date: "2026-03-01T12:00:00.000Z", ...languages, segments: [segment] };
    await expectStatus(await person.call("PUT", path, body), 200);
  }

  /** Accepted a few times in ten minutes, otherwise refused with the reason. */
  async #tryOut(): Promise<void> {
    const live = new Dictation(this.#server.apiUrl, { path: tryOutPath, origin: this.#server.pageUrl });
    await live.open();
    live.say({ type: "start", token: "", recordingId: live.recordingId, sourceLanguage: "en" });
    for (const frame of frames) live.sendBytes(frame);
    live.say({ type: "end", frames: frames.length });
    await live.closed;
  }

  async #misbehave(person: Person): Promise<void> {
    await expectStatus(await post(this.#server, "/auth/login", { email: this.#email, password: "wrong horse" }), 401);
    await expectStatus(await person.call("POST", `${base}/save-final-transcription`, { title: 1 }), 400, 422);
    await expectStatus(await person.call("GET", "/admin/users"), 401, 403);
    await expectStatus(await fetch(`${this.#server.apiUrl}/nowhere`), 404);
    const empty = await person.call("POST", `${base}/upload-and-transcribe`, uploadForm(Uint8Array.from([])));
    await expectStatus(empty, 400, 422);
    const noise = uploadForm(Uint8Array.from(Buffer.alloc(20_000, 7)));
    const { id } = await read(await person.call("POST", `${base}/upload-and-transcribe`, noise), 202, Transcription);
    await this.#untilMade(person, id);
  }

  /** Moves everything to the trash and erases it. */
  async #removeAll(person: Person): Promise<void> {
    for (;;) {
      const { data } = await history(person, "?limit=100");
      if (data.length === 0) break;
      for (const { id } of data)
        await expectStatus(await person.call("DELETE", `/audio/remove-transcription/${id}`), 200, 204, 404);
    }
    await expectStatus(await person.call("DELETE", `${base}/trash?until=${new Date().toISOString()}`), 200);
  }

  /** Follows the events until the transcription is completed or failed. */
  #untilMade(person: Person, id: string): Promise<void> {
    return this.#follow(person, `${base}/transcription/${id}/events`, (text) => /"status":"(completed|failed)"/.test(text));
  }

  async #follow(person: Person, path: string, isOver: (text: string) => boolean, signal?: AbortSignal): Promise<void> {
    const leave = new AbortController();
    signal?.addEventListener("abort", () => leave.abort());
    let text = "";
    try {
      const headers = { Authorization: `Bearer ${person.token}` };
      const { body, status } = await fetch(`${this.#server.apiUrl}${path}`, { headers, signal: leave.signal });
      if (status !== 200) throw new Error(`${path} is answered with ${status}`);
      for await (const part of body ?? []) {
        text = (text + Buffer.from(part).toString()).slice(-100_000);
        if (isOver(text)) break;
      }
    } catch (error) {
      if (!leave.signal.aborted) throw error;
    } finally {
      leave.abort();
    }
  }

  /** Sends a request, reads the beginning of the answer, and breaks off. */
  async #goAway(person: Person, path: string): Promise<void> {
    const leave = new AbortController();
    const headers = { Authorization: `Bearer ${person.token}` };
    const { body } = await fetch(`${this.#server.apiUrl}${path}`, { headers, signal: leave.signal });
    await body?.getReader().read();
    leave.abort();
  }
}

/** The bytes, without an end of the stream. */
function endless(bytes: Buffer): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.enqueue(Uint8Array.from(bytes)) });
}

/** Reads the answer to its end. @throws when its status is another one */
async function expectStatus(answer: Response, ...expected: number[]): Promise<Response> {
  const bytes = await answer.arrayBuffer();
  if (!expected.includes(answer.status)) {
    throw new Error(`${answer.url}: expected ${expected.join(" or ")}, got ${answer.status}: ${Buffer.from(bytes).toString()}`);
  }
  return answer;
}
