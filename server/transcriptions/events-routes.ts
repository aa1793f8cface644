import { Hono } from "hono";
import type { FilingAnswer, TranscriptionEvent } from "#contract/index.ts";
import type { Bus } from "#server/bus/bus.ts";
import { filingRevision, listFiling } from "#server/filing/queries.ts";
import type { Concurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { type EventStream, eventStream } from "#server/http/event-stream.ts";
import { countFinished } from "#server/jobs/piece-queries.ts";
import type { Log } from "#server/log/log.ts";
import { type AccessParts, accessFor } from "#server/session/require-access.ts";
import { trackFacts } from "#server/speech/tracks.ts";
import { findShared, readableSummary } from "#server/transcription/access-queries.ts";
import { findTranscription } from "#server/transcription/queries.ts";
import { isUnfinished, segmentsOf, summaryFor, summaryOf, withSegments } from "#server/transcription/view.ts";
import { transcriptionsOperations } from "./operations.ts";
import { isChanged, listChanges, listUnfinished } from "./queries.ts";

interface Parts extends AccessParts {
  log: Log;
  concurrency: Concurrency;
  bus: Bus;
  readiness: { readonly isDraining: boolean };
}

const base = "/api/v1/audio-transcriptions";

/**
 * Server-sent events `transcription`, read with fetch. They come from the database: any process may do the work, and
 * announces on the bus whose data it has changed. A stream ends with the token that opened it; `Last-Event-ID` resumes
 * it.
 */
export function eventRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);
  const changes = changesByPerson(deps.bus);

  app.get(`${base}/events`, access(transcriptionsOperations.changes), (c) => {
    const user = c.var.user;
    const last = /^\d{1,15}$/.exec(c.req.header("last-event-id") ?? "");
    let seen = last === null ? user.revision : Number(last[0]);
    let first = last === null;
    let filingSeen = 0;
    const poll = async (stream: EventStream) => {
      // A new subscriber gets the current state at once.
      const unfinished = first ? await listUnfinished(deps.db, user.id) : [];
      first = false;
      for (const row of unfinished) send(stream, seen, { transcription: summaryOf(row) });
      for await (const row of listChanges(deps.db, user.id, seen)) {
        send(stream, row.revision, { transcription: summaryOf(row) });
        seen = row.revision;
        // Back-pressure: the rest is read when there is room for it.
        if (stream.isFull()) return;
      }
      const filing = await filingRevision(deps.db, user.id);
      if (filing <= filingSeen) return;
      filingSeen = filing;
      // Sent with the id of the last row, because rows between the two revisions may still come.
      stream.send("filing", JSON.stringify((await listFiling(deps.db, user.id)) satisfies FilingAnswer), seen);
    };
    return eventStream(c, deps, { subscribe: (changed) => changes.of(user.id, changed), poll });
  });

  app.get(`${base}/transcription/:id/events`, access(transcriptionsOperations.progress), async (c) => {
    const userId = c.var.user.id;
    const { id, user_id } = (await readableSummary(deps, c, c.req.param("id"))).row;
    const isOwn = user_id === userId;
    let seen = -1;
    let shown = "";
    const poll = async (stream: EventStream) => {
      if (!(await isChanged(deps.db, user_id, id, seen))) return;
      const shared = isOwn ? undefined : await findShared(deps.db, userId, id);
      // http/event-stream.ts ends the stream.
      if (!isOwn && shared === undefined) return;
      const row = await findTranscription(deps.db, user_id, id);
      if (row === undefined) return stream.end();
      if (row.revision === seen) return;
      seen = row.revision;
      // Segments of a long recording are large, so they are only sent when they have changed.
      const { done, translated } = isUnfinished(row) ? await countFinished(deps.db, id) : { done: 0, translated: 0 };
      const version = isUnfinished(row) ? `${done}/${translated}` : `revision ${row.revision}`;
      const transcription = { ...(await summaryFor(deps.db, row, shared)), engine: row.engine, ...trackFacts(row) };
      const event = { transcription } satisfies TranscriptionEvent;
      const json = version === shown ? JSON.stringify(event) : withSegments(event, await segmentsOf(deps.db, row));
      shown = version;
      stream.send("transcription", json, row.revision);
    };
    return eventStream(c, deps, { subscribe: (changed) => changes.of(user_id, changed), poll });
  });
  return app;
}

/** The streams that wait for a change of a user's transcriptions. */
function changesByPerson(bus: Bus) {
  const waiting = new Map<string, Set<() => void>>();
  bus.subscribe("transcriptions.changed", (userId) => {
    const notified = userId === undefined ? [...waiting.values()] : [waiting.get(userId) ?? []];
    for (const streams of notified) for (const changed of [...streams]) changed();
  });
  return {
    /** @returns a function that unsubscribes */
    of: (userId: string, changed: () => void) => {
      const streams = waiting.get(userId) ?? new Set();
      waiting.set(userId, streams.add(changed));
      return () => {
        streams.delete(changed);
        if (streams.size === 0 && waiting.get(userId) === streams) waiting.delete(userId);
      };
    },
  };
}

function send(stream: EventStream, id: number, event: TranscriptionEvent): void {
  stream.send("transcription", JSON.stringify(event), id);
}
