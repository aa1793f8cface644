import { Hono } from "hono";
import { VoiceProfileChange, type VoiceProfilesAnswer, VoiceProfilesSwitch } from "#contract/index.ts";
import { emptyLog } from "#server/db/checkpoint.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import type { Diarizer } from "#server/speech/index.ts";
import {
  deleteConsent,
  eraseProfile,
  eraseProfiles,
  findProfile,
  findProfileNamed,
  insertConsent,
  isConsenting,
  listProfiles,
  renameProfile,
} from "./queries.ts";
import { isOfModel } from "./voice.ts";

interface Parts extends SignInParts {
  diarizer: Pick<Diarizer, "isAvailable" | "voiceModel">;
}

const path = "/users/me/voice-profiles";

/** A user's named voices: opt-in, and deleted one by one or all at once (contract/voice-profiles.ts). */
export function voiceProfileRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  const { db } = deps;
  const mine = (userId: string) => answerFor(deps, userId);

  app.get(path, signedIn, async (c) => c.json(await mine(c.var.user.id)));

  app.put(path, signedIn, async (c) => {
    const { id } = c.var.user;
    const { enabled } = await readJson(c, VoiceProfilesSwitch);
    if (enabled) await insertConsent(db, id, deps.now());
    else await erase(db, (t) => deleteConsent(t, id));
    return c.json(await mine(id));
  });

  app.delete(path, signedIn, async (c) => {
    await erase(db, (t) => eraseProfiles(t, c.var.user.id));
    return c.json(await mine(c.var.user.id));
  });

  app.patch(`${path}/:id`, signedIn, async (c) => {
    const { name } = await readJson(c, VoiceProfileChange);
    await db.transaction().execute(async (t) => {
      const profile = await ownProfile(t, c.var.user.id, c.req.param("id"));
      const other = await findProfileNamed(t, c.var.user.id, profile.model, name);
      if (other !== undefined && other.id !== profile.id) throw new Problem("conflict", "Another profile already has this name.");
      await renameProfile(t, profile.id, name);
    });
    return c.json(await mine(c.var.user.id));
  });

  app.delete(`${path}/:id`, signedIn, async (c) => {
    await erase(db, async (t) => eraseProfile(t, (await ownProfile(t, c.var.user.id, c.req.param("id"))).id));
    return c.json(await mine(c.var.user.id));
  });
  return app;
}

/** @throws Problem `notFound`, also for other users' profiles */
async function ownProfile(t: Db, userId: string, id: string) {
  const profile = await findProfile(t, userId, id);
  if (profile === undefined) throw new Problem("notFound", "This profile does not exist.");
  return profile;
}

/** Deletes data, also from the database's files. */
async function erase(db: Db, work: (t: Db) => Promise<void>): Promise<void> {
  await db.transaction().execute(work);
  await emptyLog(db);
}

async function answerFor({ db, diarizer }: Parts, userId: string): Promise<VoiceProfilesAnswer> {
  const model = diarizer.voiceModel();
  const profiles = await listProfiles(db, userId);
  return {
    enabled: await isConsenting(db, userId),
    available: diarizer.isAvailable(),
    profiles: profiles.map((profile) => ({
      id: profile.id,
      name: profile.name,
      recordings: profile.recordings,
      createdAt: new Date(profile.created_at).toISOString(),
      heardAt: new Date(profile.heard_at).toISOString(),
      current: isOfModel(profile.model, model),
    })),
  };
}
