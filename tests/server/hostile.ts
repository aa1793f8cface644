import { HistoryAnswer, type Segment, Transcription } from "#contract/index.ts";
import { insertTranscription } from "#server/transcription/queries.ts";
import { openTestDb } from "#tests/server/database.ts";
import { base, type Person, read } from "./harness.ts";

/** Amounts of data. The test uses smaller ones than the bench, whose amounts have blocked the server in the past. */
export interface Sizes {
  /** Words of a dictation, each with its time. */
  words: number;
  segments: number;
  edits: number;
  /** Number of long texts in the history; `textLength` is the characters of each. */
  texts: number;
  textLength: number;
}

/** A request by a person. Resolves when the whole answer has arrived. */
export interface Request {
  name: string;
  send(): Promise<void>;
}

const vocabulary = ["we", "speak", "of", "harbours", "and", "whales", "the", "ship", "goes", "out", "again"];
const wordAt = (i: number) => vocabulary[(i * 7 + (i >> 3)) % vocabulary.length] ?? "";

function talk({ words, segments: count }: Pick<Sizes, "words" | "segments">): Segment[] {
  const each = Math.ceil(words / count);
  return Array.from({ length: count }, (_, s) => {
    const own = Array.from({ length: each }, (__, w) => {
      const start = Math.round((s * each + w) * 300) / 1000;
      return { text: wordAt(s * each + w), start, end: start + 0.25 };
    });
    return { start: own[0]?.start ?? 0, end: own.at(-1)?.end ?? 0, text: own.map(({ text }) => text).join(" "), words: own };
  });
}

function dictation(segments: readonly Segment[]) {
  return {
    clientId: crypto.randomUUID(),
    title: "A long talk",
    text: segments.map(({ text }) => text).join(" "),
    segments,
    sourceLanguage: "en",
    targetLanguage: null,
    date: "2026-03-01T10:00:00.000Z",
  };
}

/** Writes long texts into a person's history while the server isn't running. */
export async function fillHistory(dataDir: string, email: string, { texts, textLength }: Sizes): Promise<void> {
  const db = await openTestDb(dataDir);
  const { id: userId } = await db.selectFrom("users").select("id").where("email", "=", email).executeTakeFirstOrThrow();
  const text = Array.from({ length: Math.ceil(textLength / 4) }, (_, i) => wordAt(i)).join(" ");
  for (let i = 0; i < texts; i++) {
    await db.transaction().execute((t) =>
      insertTranscription(t, {
        id: crypto.randomUUID(),
        user_id: userId,
        client_id: crypto.randomUUID(),
        recording_id: null,
        title: `Text ${i}`,
        text: `${text.slice(0, textLength)} end${i}`,
        translated_text: "",
        source_language: "en",
        target_language: null,
        date: 1_700_000_000_000 + i,
        status: "completed",
        origin: "dictation",
        duration_seconds: null,
        audio_type: null,
        file_name: null,
        engine: null,
        segments: "[]",
        stage: null,
        fraction: null,
        seconds_left: null,
        error_code: null,
        error_message: null,
        deleted_at: null,
      }),
    );
  }
  await db.destroy();
}

/** Makes a person a superuser, who may write the blog, while the server isn't running. */
export async function promote(dataDir: string, email: string): Promise<void> {
  const db = await openTestDb(dataDir);
  await db.updateTable("users").set({ is_superuser: 1 }).where("email", "=", email).execute();
  await db.destroy();
}

/** Texts of a post: one as people write, and ones that are hard for Markdown parsers. */
const posts = {
  prose: "We speak of **harbours**, and of [whales](https://example.org).\n\n",
  quotations: "> a\n\n",
  lists: "- - - a\n",
  brackets: "](",
};
/** Characters of the longest post. */
const postLength = 200_000;

/**
 * Requests that have each blocked the whole server in the past. @param person a superuser @param id of a transcription
 * made by `saveTalk`
 */
export function requestsOf(person: Person, id: string, sizes: Sizes): Request[] {
  const done = async (answer: Promise<Response>, status = 200) => {
    const { status: got, body } = await answer;
    for await (const _ of body ?? []);
    if (got !== status) throw new Error(`${got} instead of ${status}`);
  };
  const put = (update: object) => done(person.call("PUT", `/audio/remove-transcription/${id}`, update));
  const raw = (path: string, body: string) =>
    fetch(new URL(path, person.apiUrl), {
      method: "POST",
      headers: { Authorization: `Bearer ${person.token}`, "Content-Type": "application/json" },
      body,
    });
  const another = Array.from({ length: sizes.words }, (_, i) => (i % 5 === 0 ? `other${i % 97}` : wordAt(i * 3))).join(" ");
  const edits = Array.from({ length: sizes.edits }, (_, i) => ({
    index: i % sizes.segments,
    text: Array.from({ length: Math.ceil(sizes.words / sizes.segments) }, (__, w) => wordAt(w * (i + 2))).join(" "),
  }));
  const formats = ["txt", "srt", "vtt", "json", "docx", "pdf", "md", "html"];
  return [
    { name: `a dictation of ${sizes.words} words`, send: () => saveTalk(person, sizes).then(() => {}) },
    { name: "reading it", send: () => done(person.call("GET", `${base}/transcription/${id}`)) },
    { name: `${sizes.edits} corrections`, send: () => put({ edits }) },
    { name: `${Math.round(another.length / 1000)} kB of new text`, send: () => put({ text: another }) },
    { name: "its translation", send: () => put({ targetLanguage: "es" }) },
    {
      name: "a body of brackets",
      send: () => done(raw(`${base}/save-final-transcription`, "[".repeat(8_000_000)), 400),
    },
    ...formats.map((format) => ({
      name: `its export as ${format}`,
      send: () => done(person.call("GET", `${base}/transcription/${id}/export?format=${format}`)),
    })),
    { name: "the whole history", send: () => done(person.call("GET", `${base}/transcription-history?limit=1000`)) },
    {
      name: "a search through it",
      send: async () => {
        const search = await person.call("GET", `${base}/transcription-history?limit=1000&search=end${sizes.texts - 1}`);
        if ((await read(search, 200, HistoryAnswer)).pagination.total !== 1) throw new Error("The search has not found it.");
      },
    },
    ...Object.entries(posts).map(([name, piece]) => ({
      name: `a post of ${name}`,
      send: () => {
        const content = piece.repeat(Math.ceil(postLength / piece.length)).slice(0, postLength);
        return done(person.call("POST", "/admin/blog", { title: name, content }), 201);
      },
    })),
    { name: "its event stream from the start", send: () => takeEvents(person, sizes.texts) },
  ];
}

/** Saves a dictation with these sizes. @returns its id */
export async function saveTalk(person: Person, sizes: Sizes): Promise<string> {
  const answer = await person.call("POST", `${base}/save-final-transcription`, dictation(talk(sizes)));
  return (await read(answer, 200, Transcription)).id;
}

/** Reads an event stream until this many events have arrived. */
async function takeEvents(person: Person, count: number): Promise<void> {
  const stop = new AbortController();
  const headers = { Authorization: `Bearer ${person.token}`, "Last-Event-ID": "0" };
  const { body } = await fetch(new URL(`${base}/events`, person.apiUrl), { headers, signal: stop.signal });
  const decoder = new TextDecoder();
  let seen = 0;
  for await (const part of body ?? []) {
    seen += decoder.decode(part, { stream: true }).split("event: transcription").length - 1;
    if (seen >= count) break;
  }
  stop.abort();
}
