import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import * as v from "valibot";
import { BlogDraft, Segment } from "#contract/index.ts";
import { digestIn } from "#server/blog/digest-work.ts";
import { createPost } from "#server/blog/posts.ts";
import { findPost } from "#server/blog/queries.ts";
import type { Storage } from "#server/common/storage.ts";
import type { Db } from "#server/db/open.ts";
import type { Threads } from "#server/threads/threads.ts";
import { findByClientId, insertTranscription, waitingToBeMade } from "#server/transcription/queries.ts";
import { textOf, translatedTextOf } from "#server/transcription/text.ts";
import { findFirstSuperuser } from "#server/users/queries.ts";

interface Parts {
  db: Db;
  /** Epoch milliseconds. */
  now: () => number;
  storage: Storage;
  threads: Threads;
}

const dayMs = 24 * 60 * 60 * 1000;
const posts = new URL("posts/", import.meta.url);
/** The landing page's demonstration: a recording, and what the engines made of it (scripts/demo.ts). */
const recording = new URL("../../public/demo/bridge.mp3", import.meta.url);
const heard = new URL("../../public/demo/bridge.json", import.meta.url);
/** Identified by its client id, so that it is created once. */
const clientId = "5a4e1c52-0101-4d6b-9a51-7d3a5c0f1e01";

const Heard = v.object({ engine: v.string(), durationSeconds: v.number(), segments: v.array(Segment) });

const SamplePost = v.object({
  ...v.omit(BlogDraft, ["topics"]).entries,
  id: v.pipe(v.string(), v.uuid()),
  /** Its age when it is published. */
  days: v.pipe(v.string(), v.transform(Number), v.integer()),
  topics: v.pipe(
    v.string(),
    v.transform((text) => text.split(", ")),
  ),
});

/**
 * Creates sample posts, and a sample transcription of the superuser, which are labelled as samples. Existing ones stay as
 * they are: idempotent.
 */
export async function fillInSamples(parts: Parts): Promise<void> {
  for (const name of (await readdir(posts)).toSorted()) await fillInPost(parts, await readFile(new URL(name, posts), "utf8"));
  await fillInTranscription(parts);
}

/** A file has lines "name: value", an empty line, and the text. */
async function fillInPost({ db, now, threads }: Parts, file: string): Promise<void> {
  const [head = "", ...text] = file.split("\n\n");
  const values = head.split("\n").map((line) => line.split(/: (.*)/).slice(0, 2));
  const content = text.join("\n\n");
  const { id, days, ...post } = v.parse(SamplePost, { ...Object.fromEntries(values), content, status: "published" });
  if ((await findPost(db, id)) !== undefined) return;
  const digest = await digestIn(threads, content);
  await createPost({ db, now: () => now() - days * dayMs }, post, digest, { authorId: null }, id);
}

async function fillInTranscription({ db, now, storage }: Parts): Promise<void> {
  const owner = await findFirstSuperuser(db);
  if (owner === undefined || (await findByClientId(db, owner, clientId)) !== undefined) return;
  const { engine, durationSeconds, segments } = v.parse(Heard, JSON.parse(await readFile(heard, "utf8")));
  const id = randomUUID();
  const audio = storage.receive(id);
  try {
    await pipeline(createReadStream(recording), audio.stream);
    await audio.keep();
    await db.transaction().execute((t) =>
      insertTranscription(t, {
        ...waitingToBeMade,
        id,
        client_id: clientId,
        user_id: owner,
        recording_id: null,
        title: "Sample: the bridge (a synthetic voice)",
        text: textOf(segments),
        translated_text: translatedTextOf(segments),
        segments: JSON.stringify(segments),
        source_language: "en",
        target_language: "es",
        date: now() - dayMs,
        status: "completed",
        origin: "upload",
        duration_seconds: durationSeconds,
        audio_type: "audio/mpeg",
        file_name: "bridge.mp3",
        engine,
        stage: "finished",
        fraction: 1,
      }),
    );
  } catch (error) {
    await audio.discard();
    throw error;
  }
}
