import { availableParallelism, freemem, totalmem } from "node:os";
import { type Context, Hono } from "hono";
import { type AuditAction, ModelChoices, type ModelsAnswer } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { isCalledOff, readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { streamsBody } from "#server/http/limits.ts";
import { type AdminParts, requireSuperuser } from "#server/session/require-user.ts";
import type { User } from "#server/users/tables.ts";
import type { CatalogueModel } from "./catalogue.ts";
import { importModel, largestImport } from "./import.ts";
import type { Installer } from "./installer.ts";
import type { InstalledModels } from "./model.ts";
import { describeModels, exportedList, type Known } from "./overview.ts";
import { type FreeBytes, freeBytesOf } from "./space.ts";
import type { ModelStore } from "./store.ts";

interface Parts extends AdminParts {
  config: { modelsMirror: string | undefined };
  models: ModelStore;
  installer: Installer;
  catalogue: readonly CatalogueModel[];
  /** Default: the real disk's. */
  freeBytes?: FreeBytes;
  /** The engines that use the models, with their possible choices. */
  engines: ChoiceParts["engines"] & { modelOptions(): ModelsAnswer["speech"] };
  translation: ChoiceParts["translation"] & { options(): ModelsAnswer["translation"] };
  synthesizer: { options?(): ModelsAnswer["voices"] };
  /** Logs what a superuser did with a model. */
  auditModel(actor: User, action: ModelAction, model: string): Promise<void>;
}

/** The logged actions. */
export type ModelAction = Extract<AuditAction, "installModel" | "removeModel" | "importModel" | "chooseModels">;

/** Installing, removing and choosing models, for superusers. */
export function modelRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const superuser = requireSuperuser(deps);
  const { models, installer } = deps;

  app.get("/admin/models", superuser, async (c) => c.json(await answerOf(deps)));

  app.get("/admin/models/export", superuser, (c) => {
    c.header("Content-Disposition", 'attachment; filename="parlance-models.json"');
    return c.json(exportedList(models));
  });

  app.put("/admin/models/choices", superuser, async (c) => {
    const choices = await readJson(c, ModelChoices);
    checkChoices(choices, deps);
    await models.setChoices(choices);
    await deps.auditModel(c.var.user, "chooseModels", "");
    return c.json(models.choices());
  });

  app.post("/admin/models/import", streamsBody(largestImport), superuser, async (c) => {
    const name = c.req.query("name") ?? "";
    const given = { name, body: c.env.incoming, bytes: lengthOf(c) };
    const imported = await importModel({ ...deps, store: models }, given).catch((error: unknown) => {
      throw isCalledOff(c) ? new Problem("interrupted", undefined, { cause: error }) : error;
    });
    await deps.auditModel(c.var.user, "importModel", imported.id);
    return c.json(imported, 202);
  });

  app.post("/admin/models/:id/install", superuser, async (c) => {
    const id = c.req.param("id");
    let hasBegun = false;
    const installation = await installer.install(id, () => {
      hasBegun = true;
    });
    if (hasBegun) await deps.auditModel(c.var.user, "installModel", id);
    return c.json(installation);
  });
  for (const command of ["pause", "resume", "cancel"] as const) {
    app.post(`/admin/models/:id/${command}`, superuser, async (c) => c.json(await installer[command](c.req.param("id"))));
  }

  app.delete("/admin/models/:id", superuser, async (c) => {
    const id = c.req.param("id");
    await models.remove(id);
    await deps.auditModel(c.var.user, "removeModel", id);
    return c.body(null, 204);
  });
  return app;
}

/** Content-Length; undefined for a body that does not say how long it is. */
function lengthOf(c: Context<AppEnv>): number | undefined {
  const length = Number(c.req.header("content-length") ?? Number.NaN);
  return Number.isSafeInteger(length) ? length : undefined;
}

async function answerOf(deps: Parts): Promise<ModelsAnswer> {
  const { models, config, engines, translation, synthesizer } = deps;
  const machine = {
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    freeDiskBytes: await (deps.freeBytes ?? freeBytesOf)(models.folders.root),
  };
  return {
    machine,
    mirror: config.modelsMirror === undefined ? null : new URL(config.modelsMirror).host,
    models: describeModels(await knownModels(deps), machine),
    choices: models.choices(),
    speech: engines.modelOptions(),
    translation: translation.options(),
    voices: synthesizer.options?.() ?? [],
  };
}

/** The catalogue in its order, then other models that are installed or in progress. */
async function knownModels({ models, installer, catalogue }: Parts): Promise<Known[]> {
  const entries = new Map(catalogue.map((entry) => [entry.id, entry]));
  const found = new Map(models.found().map((one) => [one.id, one]));
  const ids = new Set([...entries.keys(), ...found.keys(), ...installer.ids()]);
  return Promise.all(
    [...ids].map(async (id) => ({
      id,
      entry: entries.get(id),
      found: found.get(id),
      installation: installer.find(id),
      isInUse: found.has(id) && (await models.isInUse(id)),
    })),
  );
}

/** The installed models, and the engines that are here. */
interface ChoiceParts {
  models: Pick<InstalledModels, "find">;
  engines: { all(): readonly { id: string; languages: readonly string[] }[] };
  translation: { infos(): readonly { id: string }[] };
}

/** The voice that is no model. */
const espeak = "espeak";

/**
 * Checks that the chosen models are available and suit their purpose.
 * @throws Problem `badRequest`
 */
function checkChoices({ live, files, translation: orders, voices }: ModelChoices, parts: ChoiceParts): void {
  for (const [language, id] of [...Object.entries(live), ...Object.entries(files)]) {
    const recognizes = parts.engines.all().some((engine) => engine.id === id && engine.languages.some((one) => one === language));
    if (!recognizes) throw refused(id, language);
  }
  const translators = new Set(parts.translation.infos().map(({ id }) => id));
  for (const [pair, order] of Object.entries(orders)) {
    const stranger = order.find((id) => !translators.has(id));
    if (!/^[a-z]{2,3}(-\w+)?>[a-z]{2,3}(-\w+)?$/.test(pair))
      throw new Problem("badRequest", `"${pair}" is not a pair such as en>es.`);
    if (stranger !== undefined) throw refused(stranger, pair);
  }
  for (const [language, id] of Object.entries(voices)) {
    const model = parts.models.find(id);
    const speaks = model?.purpose === "speaking" && model.languages.includes(language);
    if (id !== espeak && !speaks) throw refused(id, language);
  }
}

const refused = (id: string, language: string) =>
  new Problem("badRequest", `No model or engine "${id}" is available for "${language}".`);
