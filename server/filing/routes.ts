import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { FilingChange, type Folder, FolderDraft, filingLimits, type Tag, TagDraft } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { type AccessParts, accessFor } from "#server/session/require-access.ts";
import { changeEach } from "#server/transcription/each.ts";
import { filingOperations as operations } from "./operations.ts";
import { placeOne, requireOwnFiling } from "./place.ts";
import {
  countNamed,
  deleteNamed,
  findNamed,
  insertFolder,
  insertTag,
  listFiling,
  noteFiling,
  updateFolder,
  updateTag,
} from "./queries.ts";

const base = "/api/v1/audio-transcriptions";

/** Folders, tags and favourites of a person's transcriptions (contract/filing.ts). */
export function filingRoutes(deps: AccessParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);
  const { db } = deps;

  app.get(`${base}/filing`, access(operations.list), async (c) => c.json(await listFiling(db, c.var.user.id)));

  app.post(`${base}/filing`, access(operations.place), async (c) => {
    const change = await readJson(c, FilingChange);
    const { id: userId } = c.var.user;
    const place = (t: Db, id: string) => placeOne(t, userId, id, change);
    return c.json(await changeEach(db, change.ids, place, (t) => requireOwnFiling(t, userId, change)));
  });

  app.post(`${base}/folders`, access(operations.addFolder), async (c) => {
    const folder = { id: randomUUID(), ...(await readJson(c, FolderDraft)) } satisfies Folder;
    await add(db, "folders", c.var.user.id, folder, (t) => insertFolder(t, c.var.user.id, folder));
    return c.json(folder, 201);
  });
  app.put(`${base}/folders/:id`, access(operations.changeFolder), async (c) => {
    const folder = { id: c.req.param("id"), ...(await readJson(c, FolderDraft)) } satisfies Folder;
    await change(db, "folders", c.var.user.id, folder, (t) => updateFolder(t, c.var.user.id, folder));
    return c.json(folder);
  });
  app.delete(`${base}/folders/:id`, access(operations.removeFolder), async (c) => {
    await remove(db, "folders", c.var.user.id, c.req.param("id"));
    return c.body(null, 204);
  });

  app.post(`${base}/tags`, access(operations.addTag), async (c) => {
    const tag = { id: randomUUID(), ...(await readJson(c, TagDraft)) } satisfies Tag;
    await add(db, "tags", c.var.user.id, tag, (t) => insertTag(t, c.var.user.id, tag));
    return c.json(tag, 201);
  });
  app.put(`${base}/tags/:id`, access(operations.changeTag), async (c) => {
    const tag = { id: c.req.param("id"), ...(await readJson(c, TagDraft)) } satisfies Tag;
    await change(db, "tags", c.var.user.id, tag, (t) => updateTag(t, c.var.user.id, tag));
    return c.json(tag);
  });
  app.delete(`${base}/tags/:id`, access(operations.removeTag), async (c) => {
    await remove(db, "tags", c.var.user.id, c.req.param("id"));
    return c.body(null, 204);
  });
  return app;
}

type Kind = "folders" | "tags";
const one = { folders: "folder", tags: "tag" } as const satisfies Record<Kind, string>;
type Named = Pick<Folder, "id" | "name">;

/** @throws Problem `conflict` for an existing name, `tooManyAtOnce` at the limit */
async function add(db: Db, kind: Kind, userId: string, named: Named, insert: (t: Db) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (t) => {
    await refuseDuplicateName(t, kind, userId, named);
    if ((await countNamed(t, kind, userId)) >= filingLimits[kind])
      throw new Problem("tooManyAtOnce", `There are ${filingLimits[kind]} ${kind} already.`, { status: 409 });
    await insert(t);
    await noteFiling(t, userId);
  });
}

/** @throws Problem `conflict` when another one has this name, `notFound` when the person has no such one */
async function change(db: Db, kind: Kind, userId: string, named: Named, update: (t: Db) => Promise<boolean>): Promise<void> {
  await db.transaction().execute(async (t) => {
    await refuseDuplicateName(t, kind, userId, named);
    if (!(await update(t))) throw new Problem("notFound", `This ${one[kind]} does not exist.`);
    await noteFiling(t, userId);
  });
}

/** @throws Problem `notFound` */
async function remove(db: Db, kind: Kind, userId: string, id: string): Promise<void> {
  await db.transaction().execute(async (t) => {
    if (!(await deleteNamed(t, kind, userId, id))) throw new Problem("notFound", `This ${one[kind]} does not exist.`);
    await noteFiling(t, userId);
  });
}

async function refuseDuplicateName(t: Db, kind: Kind, userId: string, { id, name }: Named): Promise<void> {
  const other = await findNamed(t, kind, userId, name);
  if (other !== undefined && other.id !== id) throw new Problem("conflict", `Another ${one[kind]} already has this name.`);
}
