import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { FolderTemplateDraft, maxTemplates, TemplateDraft, type TemplatesAnswer } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import { isBuiltIn } from "./prompts.ts";
import {
  deleteTemplate,
  insertTemplate,
  listFolderTemplates,
  listTemplates,
  replaceTemplate,
  setFolderTemplate,
} from "./queries.ts";

const path = "/users/me/insight-templates";

/** A person's own templates for summaries, and the defaults of folders (contract/insights.ts). */
export function templateRoutes(deps: SignInParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  const { db, now } = deps;
  const answer = async (userId: string): Promise<TemplatesAnswer> => ({
    templates: await listTemplates(db, userId),
    defaults: await listFolderTemplates(db, userId),
  });

  app.get(path, signedIn, async (c) => c.json(await answer(c.var.user.id)));

  app.post(path, signedIn, async (c) => {
    const draft = await readJson(c, TemplateDraft);
    const { id: userId } = c.var.user;
    await db.transaction().execute(async (t) => {
      if ((await listTemplates(t, userId)).length >= maxTemplates) {
        throw new Problem("tooManyAtOnce", `There are ${maxTemplates} templates already.`, { status: 409 });
      }
      await insertTemplate(t, userId, { ...draft, id: randomUUID(), createdAt: now() });
    });
    return c.json(await answer(userId), 201);
  });

  app.put(`${path}/:id`, signedIn, async (c) => {
    const draft = await readJson(c, TemplateDraft);
    if (!(await replaceTemplate(db, c.var.user.id, c.req.param("id"), draft))) throw noTemplate();
    return c.json(await answer(c.var.user.id));
  });

  app.delete(`${path}/:id`, signedIn, async (c) => {
    const { id: userId } = c.var.user;
    await db.transaction().execute(async (t) => {
      if (!(await deleteTemplate(t, userId, c.req.param("id")))) throw noTemplate();
    });
    return c.json(await answer(userId));
  });

  app.put(`${path}/folders/:folder`, signedIn, async (c) => {
    const { template } = await readJson(c, FolderTemplateDraft);
    const { id: userId } = c.var.user;
    await db.transaction().execute(async (t) => {
      const isKnown =
        template === null || isBuiltIn(template) || (await listTemplates(t, userId)).some(({ id }) => id === template);
      if (!isKnown) throw noTemplate();
      if (!(await setFolderTemplate(t, userId, { folderId: c.req.param("folder"), template }))) {
        throw new Problem("notFound", "This folder does not exist.");
      }
    });
    return c.json(await answer(userId));
  });
  return app;
}

const noTemplate = () => new Problem("notFound", "This template does not exist.");
