import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { availableParallelism, freemem, totalmem } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import * as v from "valibot";
import { type AdminModel, type Installation, ModelKind, ModelList } from "#contract/index.ts";
import { needIds, needsOf, stillToInstall } from "#machines/models/needs.ts";
import { type Config, readConfig } from "#server/config/config.ts";
import { ConfigError } from "#server/config/values.ts";
import { Problem } from "#server/errors/problem.ts";
import { createLog } from "#server/log/log.ts";
import { modelCatalogue } from "#server/models/catalogue-data.ts";
import type { Machine } from "#server/models/fit.ts";
import { importModel } from "#server/models/import.ts";
import { type Installer, openInstaller } from "#server/models/installer.ts";
import { describeModels, exportedList, type Known } from "#server/models/overview.ts";
import { freeBytesOf } from "#server/models/space.ts";
import { type ModelStore, openModelStore } from "#server/models/store.ts";
import { hashOf } from "#server/models/verify.ts";
import { createTryModel } from "#server/processes/try-model.ts";
import { describeMeasurement, measureModel } from "#server/speech/measure.ts";

// `npm run models -- …`: lists, installs, removes, checks, imports, exports and tries models. A running server notices
// what is installed or removed here.

const usage = `npm run models -- list [--language de]         installed models, and those that can be installed
npm run models -- recommended [--into de]      installs what /admin/models recommends for this machine, with translation into a language
npm run models -- install <model> …            or --from <list>, exported by another server
npm run models -- remove <model> …
npm run models -- check [<model> …]            compares installed models with the published files
npm run models -- import <archive>             installs from a file, without internet access
npm run models -- export                       list of installed models, for --from
npm run models -- try <model or folder> [--audio <file> --reference <text>] [--language de] [--kind whisper]`;

interface Context {
  config: Config;
  store: ModelStore;
}

const megabytes = (bytes: number | null) => (bytes === null ? "size unknown" : `${Math.max(1, Math.round(bytes / 1e6))} MB`);

async function overviewOf(store: ModelStore): Promise<{ machine: Machine; models: AdminModel[] }> {
  const machine = {
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    freeDiskBytes: await freeBytesOf(store.folders.root),
  };
  const entries = new Map(modelCatalogue.map((entry) => [entry.id, entry]));
  const found = new Map(store.found().map((one) => [one.id, one]));
  const known = [...new Set([...found.keys(), ...entries.keys()])].map(
    (id): Known => ({ id, entry: entries.get(id), found: found.get(id), installation: null, isInUse: false }),
  );
  return { machine, models: describeModels(known, machine) };
}

async function list({ store }: Context, language: string | undefined): Promise<void> {
  const { machine, models: all } = await overviewOf(store);
  const models = all.filter(
    (model) => language === undefined || model.languages.length === 0 || model.languages.includes(language),
  );
  console.log(`${machine.cores} cores, ${megabytes(machine.memoryBytes)} of memory, ${megabytes(machine.freeDiskBytes)} free`);
  for (const model of models) console.log(lineOf(model, language));
}

function lineOf(model: AdminModel, language: string | undefined): string {
  const { installed, lacks, wordErrors, comet, recommendedFor, check } = model;
  const here = installed?.source === "builtIn" ? "built in" : "installed";
  const state = installed === null ? "" : (installed.fault ?? `${here} (check: ${check})`);
  const languages = model.languages.length > 6 ? `${model.languages.length} languages` : model.languages.join(" ");
  const isBest = language === undefined ? false : recommendedFor.includes(language);
  const parts = [
    model.id,
    model.name ?? "",
    model.purpose,
    languages,
    megabytes(installed === null ? model.downloadBytes : model.diskBytes),
    model.licence + (model.caveat === null ? "" : ` (${model.caveat})`),
    wordErrors === null ? "" : `${wordErrors.percent} % word errors (${wordErrors.on})`,
    comet === null ? "" : `COMET ${comet.score}${comet.google === null ? "" : `, Google's ${comet.google}`}`,
    speedOf(model),
    lacks.length === 0 ? "" : `this machine does not have enough ${lacks.join(" and ")}`,
    isBest ? "recommended" : "",
    state,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

/** The measured speed, and whether that is too slow for live speech. */
function speedOf({ measuredSpeed, purpose, keepsUp }: AdminModel): string {
  if (measuredSpeed === null) return "";
  if (purpose === "translation") return `${measuredSpeed.factor.toFixed(1)} ms per word here`;
  return `${measuredSpeed.factor.toFixed(2)} s per second here${keepsUp === false ? ", too slow for live speech" : ""}`;
}

async function withInstaller<Result>(
  { config, store }: Context,
  work: (installer: Installer) => Promise<Result>,
): Promise<Result> {
  const installer = await openInstaller({
    store,
    catalogue: modelCatalogue,
    mirror: config.modelsMirror,
    tryModel: createTryModel(Date.now),
    log: createLog("silent", Date.now),
    now: Date.now,
    resumes: false,
  });
  try {
    return await work(installer);
  } finally {
    await installer.close();
  }
}

/**
 * Follows an installation. Ctrl-C leaves a partial download that the next `install` continues. @throws Error when the
 * model is not installed in the end
 */
async function follow(installer: Installer, id: string): Promise<void> {
  const pause = () => void installer.pause(id).catch(() => installer.cancel(id));
  process.once("SIGINT", pause);
  const show = () => say(id, installer.find(id));
  const timer = setInterval(show, process.stdout.isTTY ? 500 : 10_000);
  try {
    const { state, failure, detail } = await installer.settled(id);
    if (process.stdout.isTTY) process.stdout.write("\r\u{1b}[K");
    if (state === "installed") console.log(`${id} is installed.`);
    else if (state === "paused") throw new Error(`${id} is incomplete. Run the same command to continue.`);
    else throw new Error(`${id} could not be installed (${failure ?? state}). ${detail ?? ""}`);
  } finally {
    clearInterval(timer);
    process.off("SIGINT", pause);
  }
}

function say(id: string, installation: Installation | null): void {
  if (installation === null) return;
  const { state, bytesDone, bytesTotal, secondsLeft, host } = installation;
  const amount = bytesTotal === null ? megabytes(bytesDone) : `${megabytes(bytesDone)} of ${megabytes(bytesTotal)}`;
  const left =
    secondsLeft === null ? "" : `, ${secondsLeft < 90 ? `${secondsLeft} s` : `${Math.round(secondsLeft / 60)} min`} left`;
  const from = state === "downloading" && host !== null ? ` from ${host}` : "";
  const text = `${id}: ${state}${from}${bytesDone > 0 ? `, ${amount}${left}` : ""}`;
  if (process.stdout.isTTY) process.stdout.write(`\r\u{1b}[K${text.slice(0, process.stdout.columns - 1)}`);
  else console.log(text);
}

async function install(context: Context, ids: readonly string[], from: string | undefined): Promise<void> {
  const listed =
    from === undefined ? undefined : v.parse(v.pipe(v.string(), v.parseJson(), ModelList), await readFile(from, "utf8"));
  const wanted = [...ids, ...(listed?.models.map(({ id }) => id) ?? [])];
  if (wanted.length === 0) throw new Error(usage);
  await withInstaller(context, async (installer) => {
    for (const id of wanted) {
      if (context.store.find(id) !== undefined) {
        console.log(`${id} is already installed.`);
        continue;
      }
      await installer.install(id);
      await follow(installer, id);
    }
  });
}

/** Does the same as the buttons of /admin/models. @param into base code of a language; undefined: no translation */
async function recommended(context: Context, into: string | undefined): Promise<void> {
  await withInstaller(context, async (installer) => {
    // A model for the other languages often also serves English, so it comes first.
    for (const id of ["otherLanguages", ...needIds.filter((one) => one !== "otherLanguages")]) {
      const { models } = await overviewOf(context.store);
      const need = needsOf(models, into ?? "").find((one) => one.id === id);
      if (need === undefined || (id === "translation" && into === undefined)) continue;
      const wanted = stillToInstall(need);
      const sizes = wanted.map((model) => `${model.id} (${megabytes(model.downloadBytes)})`);
      if (need.models.length === 0) console.log(`${id}: no model fits this machine.`);
      else console.log(`${id}: ${wanted.length === 0 ? "is already installed" : sizes.join(", ")}`);
      for (const model of wanted) {
        await installer.install(model.id);
        await follow(installer, model.id);
      }
    }
  });
}

async function importFile(context: Context, path: string | undefined): Promise<void> {
  if (path === undefined) throw new Error(usage);
  const { size } = await stat(path);
  await withInstaller(context, async (installer) => {
    const source = { name: basename(path), body: createReadStream(path), bytes: size };
    const { id } = await importModel({ store: context.store, installer, catalogue: modelCatalogue }, source);
    await follow(installer, id);
  });
}

/** Checks the sizes of installed files, and the SHA-256 of those in the catalog. */
async function check({ store }: Context, ids: readonly string[]): Promise<void> {
  await store.rescan();
  const wanted = store.found().filter(({ id }) => ids.length === 0 || ids.includes(id));
  for (const id of ids) if (!wanted.some((one) => one.id === id)) throw new Error(`The model "${id}" is not installed.`);
  for (const { id, fault, model } of wanted) {
    const wrong = fault ?? (model === null ? null : await wrongFile(model.folder, model.entry?.contents ?? []));
    if (wrong !== null) process.exitCode = 1;
    console.log(`${id}: ${wrong ?? `unchanged since its installation (check: ${model?.check ?? "none"})`}`);
  }
}

async function wrongFile(
  folder: string,
  contents: readonly { name: string; sha256?: string | undefined }[],
): Promise<string | null> {
  for (const { name, sha256 } of contents) {
    if (sha256 === undefined) continue;
    const hash = await hashOf(join(folder, name), () => undefined, new AbortController().signal).catch(() => undefined);
    if (hash !== sha256) return `the SHA-256 of ${name} differs from the published one`;
  }
  return null;
}

async function tryOut({ store }: Context, named: string | undefined, options: Record<string, string | undefined>): Promise<void> {
  if (named === undefined) throw new Error(usage);
  const model = store.find(named);
  const { audio, reference, language } = options;
  const kind = options.kind === undefined ? model?.kind : v.parse(ModelKind, options.kind);
  const measured = await measureModel(model?.folder ?? named, { audio, reference, language, kind });
  for (const line of describeMeasurement(measured)) console.log(line);
}

async function run(): Promise<void> {
  const text = { type: "string" } as const;
  const options = { language: text, into: text, from: text, audio: text, reference: text, kind: text };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [command, ...rest] = positionals;
  const config = readConfig(process.env);
  const store = await openModelStore({ dataDir: config.dataDir, catalogue: modelCatalogue, log: createLog("warn", Date.now) });
  const context = { config, store };
  try {
    if (command === "list") await list(context, values.language);
    else if (command === "recommended") await recommended(context, values.into);
    else if (command === "install") await install(context, rest, values.from);
    else if (command === "remove" && rest.length > 0) for (const id of rest) await store.remove(id);
    else if (command === "check") await check(context, rest);
    else if (command === "import") await importFile(context, rest[0]);
    else if (command === "export") console.log(JSON.stringify(exportedList(store), undefined, 2));
    else if (command === "try") await tryOut(context, rest[0], values);
    else throw new Error(usage);
  } finally {
    await store.close();
  }
}

try {
  await run();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  const isPlain = error instanceof Problem || error.name === "Error";
  console.error(
    error instanceof ConfigError ? `The configuration is invalid:\n${error.message}` : isPlain ? error.message : String(error),
  );
  process.exitCode = 1;
}
