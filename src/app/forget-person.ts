import * as v from "valibot";
import { createRecordingDb } from "../audio/recording-db.ts";
import { createLeftoverDb } from "../vault/leftovers.ts";
import type { PageStorage } from "./storage.ts";
import { createUploadMemory } from "./upload-memory.ts";

const Entries = v.pipe(v.string(), v.parseJson(), v.array(v.unknown()));
const isOf = (ownerId: string) => (entry: unknown) => v.is(v.object({ ownerId: v.literal(ownerId) }), entry);

/** Removes from local storage what belongs to one person: under keys of theirs (`draft:{id}:…`), and their entries in lists of everybody's. */
export function forgetStored(storage: PageStorage, ownerId: string): void {
  const theirs = isOf(ownerId);
  for (const key of storage.keys()) {
    if (key.split(":").includes(ownerId)) {
      storage.remove(key);
      continue;
    }
    const list = v.safeParse(Entries, storage.read(key));
    if (!list.success || !list.output.some(theirs)) continue;
    const others = list.output.filter((entry) => !theirs(entry));
    if (others.length === 0) storage.remove(key);
    else storage.write(key, JSON.stringify(others));
  }
}

/** Removes one person's recordings, encrypted ones, and files on their way from the browser's databases. Never rejects. */
export async function forgetKept(ownerId: string): Promise<void> {
  const [recordings, turns] = [createRecordingDb(), createRecordingDb("parlance-turns")];
  const encrypted = createLeftoverDb();
  // Other tabs' as well: nobody is signed in to them any longer.
  const uploads = createUploadMemory({
    locks: { take: async () => async () => {}, taken: async () => new Set() },
    room: async () => 0,
    now: () => Date.now(),
  });
  const each = async (rows: Promise<readonly { id: string }[]>, remove: (id: string) => Promise<void>) => {
    await Promise.all((await rows).map(({ id }) => remove(id)));
  };
  await Promise.allSettled([
    each(recordings.list(ownerId), recordings.remove),
    each(turns.list(ownerId), turns.remove),
    each(encrypted.list(ownerId), encrypted.remove),
    each(
      uploads.take(ownerId).then((taken) => taken.map(({ upload }) => upload)),
      uploads.forget,
    ),
  ]);
}
