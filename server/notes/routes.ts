import { type Context, Hono } from "hono";
import * as v from "valibot";
import { type Note, NoteChange, type NotesAnswer, noteLimits } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { check, readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { type AccessParts, accessFor } from "#server/session/require-access.ts";
import { readableSummary, requireReadable } from "#server/transcription/access-queries.ts";

import { noteOperations as operations } from "./operations.ts";
import { countNotes, deleteNote, findNote, listNotes, putNote, viewNote } from "./queries.ts";

const path = "/api/v1/audio-transcriptions/transcription/:id/notes";
const NoteId = v.pipe(v.string(), v.uuid("the note's id must be a UUID"), v.toLowerCase());

/**
 * A person's highlights and notes on their own and shared transcriptions (contract/notes.ts). They are private: nobody
 * else sees them, and links to the transcription don't show them.
 */
export function noteRoutes(deps: AccessParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);
  const { db, now } = deps;
  const ownedBy = (c: Context<AppEnv>) => ({
    id: check(NoteId, c.req.param("note")),
    userId: c.var.user.id,
    transcriptionId: c.req.param("id") ?? "",
  });

  app.get(path, access(operations.list), async (c) => {
    const { row } = await readableSummary(deps, c, c.req.param("id"));
    return c.json({ notes: await listNotes(db, c.var.user.id, row.id) } satisfies NotesAnswer);
  });

  app.put(`${path}/:note`, access(operations.put), async (c) => {
    const { start, end, colour, text, revision } = await readJson(c, NoteChange);
    const owned = ownedBy(c);
    const note = await db.transaction().execute(async (t): Promise<Note> => {
      await requireReadable(t, owned.userId, owned.transcriptionId);
      const known = await findNote(t, owned);
      if (known !== undefined) {
        const says = known.starts_at === start && known.ends_at === end && known.colour === colour && known.text === text;
        // Also for a repeated call whose first answer was lost.
        if (says) return viewNote(known);
        if (known.revision !== revision) throw new Problem("conflict", "The note was changed in the meantime.");
      } else if ((await countNotes(t, owned)) >= noteLimits.notes)
        throw new Problem("tooManyAtOnce", `This transcription already has ${noteLimits.notes} notes: delete one first.`, {
          status: 409,
        });
      const row = {
        transcription_id: owned.transcriptionId,
        id: owned.id,
        user_id: owned.userId,
        starts_at: start,
        ends_at: end,
        colour,
        text,
        revision: (known?.revision ?? revision) + 1,
        created_at: known?.created_at ?? now(),
        changed_at: now(),
      };
      if (!(await putNote(t, row))) throw new Problem("conflict", "Another note has this id.");
      return viewNote(row);
    });
    return c.json(note);
  });

  app.delete(`${path}/:note`, access(operations.remove), async (c) => {
    const owned = ownedBy(c);
    await requireReadable(db, owned.userId, owned.transcriptionId);
    await deleteNote(db, owned);
    return c.body(null, 204);
  });
  return app;
}
