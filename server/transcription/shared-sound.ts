import type { Bus } from "#server/bus/bus.ts";
import type { Db } from "#server/db/open.ts";
import { findShared } from "./access-queries.ts";

interface Listening {
  userId: string;
  /** Of the transcription. */
  id: string;
}

/** An answer with a sound that is shared with somebody: it breaks off when it is so no longer. */
export function whileShared(answer: Response, { db, bus }: { db: Db; bus: Bus }, { userId, id }: Listening): Response {
  if (answer.body === null) return answer;
  const broken = new AbortController();
  const stop = bus.subscribe("shares.changed", (changed) => {
    if (changed !== undefined && changed !== id) return;
    // What can't be asked is no reason to go on.
    const look = findShared(db, userId, id).catch(() => undefined);
    void look.then((shared) => shared === undefined && broken.abort(new Error("The sound is no longer shared.")));
  });
  const through = new TransformStream<Uint8Array, Uint8Array>();
  // It also ends when the listener goes: then there is nobody who could be told.
  void answer.body
    .pipeTo(through.writable, { signal: broken.signal })
    .catch(() => {})
    .finally(stop);
  return new Response(through.readable, { status: answer.status, headers: answer.headers });
}
