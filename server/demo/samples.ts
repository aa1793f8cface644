import { readdir, readFile } from "node:fs/promises";
import * as v from "valibot";
import { BlogDraft } from "#contract/index.ts";
import { digestIn } from "#server/blog/digest-tasks.ts";
import { createPost } from "#server/blog/posts.ts";
import { findPost } from "#server/blog/queries.ts";
import { theServer } from "#server/threads/slots.ts";
import type { Threads } from "#server/threads/threads.ts";
import { findByClientId } from "#server/transcription/queries.ts";
import { openSample, type SampleParts } from "#server/transcriptions/sample.ts";
import { findFirstSuperuser } from "#server/users/queries.ts";

interface Parts extends SampleParts {
  /** Epoch milliseconds. */
  now: () => number;
  threads: Threads;
}

const dayMs = 24 * 60 * 60 * 1000;
const posts = new URL("posts/", import.meta.url);
/** Identified by its client id, so that it is created once. */
const clientId = "5a4e1c52-0101-4d6b-9a51-7d3a5c0f1e01";

const SamplePost = v.object({
  ...v.omit(BlogDraft, ["topics"]).entries,
  id: v.pipe(v.string(), v.uuid()),
  /** Its age in days when it is published. */
  days: v.pipe(v.string(), v.transform(Number), v.integer()),
  topics: v.pipe(
    v.string(),
    v.transform((text) => text.split(", ")),
  ),
});

/**
 * Creates sample posts, and a sample transcription of the superuser, which are labelled as samples. Existing ones stay
 * unchanged, so it is idempotent.
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
  const digest = await digestIn(threads, content, theServer);
  await createPost({ db, now: () => now() - days * dayMs }, post, digest, { authorId: null }, id);
}

async function fillInTranscription({ db, now, storage, quota }: Parts): Promise<void> {
  const userId = await findFirstSuperuser(db);
  if (userId === undefined || (await findByClientId(db, userId, clientId)) !== undefined) return;
  const title = "Sample: John F. Kennedy, 1961";
  await openSample({ db, storage, quota }, { userId, title, date: now() - dayMs, clientId });
}
