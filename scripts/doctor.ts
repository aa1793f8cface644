import { existsSync } from "node:fs";
import { access, constants, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { release } from "node:os";
import { dirname } from "node:path";
import type { EngineInfo } from "#contract/index.ts";
import { type Config, readConfig } from "#server/config/config.ts";
import { ConfigError } from "#server/config/values.ts";
import { createLog } from "#server/log/log.ts";
import { modelCatalogue } from "#server/models/catalogue-data.ts";
import { openModelStore } from "#server/models/store.ts";
import { openEspeak } from "#server/speech/espeak.ts";
import { openEngines } from "#server/speech/index.ts";
import { openTranslation } from "#server/translation/index.ts";
import { installCommand, type Tool, tools } from "./tools.mjs";

// `npm run doctor` lists what is installed, and what each missing piece turns off. Exit code 0 when the product can
// run.

/** Timeout of a configured engine (milliseconds). */
const reachLimit = 5_000;
/** Below this, a long recording may not fit (bytes; an hour of PCM and its original take about 250 MB). */
const littleSpace = 2 * 1024 ** 3;

type Verdict = "ok" | "missing" | "fatal";
const marks: Record<Verdict, string> = { ok: "ok      ", missing: "missing ", fatal: "PROBLEM " };
let canRun = true;

function say(verdict: Verdict, text: string): void {
  if (verdict === "fatal") canRun = false;
  console.log(`${marks[verdict]} ${text}`);
}

function checkNode(): void {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= 26) say("ok", `Node ${process.versions.node} on ${process.platform} ${release()} ${process.arch}`);
  else
    say("fatal", `This runs on Node ${process.versions.node}, but Parlance needs 26 or newer. Start it with npm: npm run doctor`);
}

const neededFor: Record<Tool["when"], string> = { always: "", running: "", optional: " (optional)", testing: " (for tests)" };

function checkTools(): void {
  for (const tool of tools) {
    const name = `${tool.name}${neededFor[tool.when]}`;
    if (tool.found()) say("ok", name);
    else say("missing", `${name}: ${tool.without}. Install it: ${installCommand(tool.packages)}`);
  }
}

function checkConfig(): Config | undefined {
  try {
    const config = readConfig(process.env);
    say("ok", "Configuration");
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    say("fatal", `Configuration: ${error.message}`);
    return undefined;
  }
}

/** The first start creates the folder; until then, the nearest existing parent must be writable. */
async function checkDataFolder(dataDir: string): Promise<void> {
  let folder = dataDir;
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    await access(folder, constants.R_OK | constants.W_OK);
    say("ok", `Data folder ${dataDir}`);
  } catch (error) {
    say(
      "fatal",
      `Data folder ${dataDir} can't be written (${reasonOf(error)}). Fix this, or set PARLANCE_DATA to another folder.`,
    );
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const space = `${(free / 1024 ** 3).toFixed(1)} GiB free for the data folder`;
  if (free >= littleSpace) say("ok", space);
  else say("missing", `${space}: long recordings may not fit`);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

async function checkPort(name: string, port: number, host: string): Promise<void> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once("error", () => resolve(false));
  server.listen(port, host, () => server.close(() => resolve(true)));
  if (await promise) say("ok", `Port ${port} is free (${name})`);
  else if (await isParlance(port)) say("ok", `Port ${port} is in use by Parlance itself (${name})`);
  else say("fatal", `Port ${port} is in use by another program. Stop it, or set ${name}.`);
}

/** Whether Parlance answers on a port: the API by its name, the page by its title. */
async function isParlance(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://localhost:${port}/`, {
      headers: { Accept: "text/html" },
      signal: AbortSignal.timeout(2_000),
    });
    return /"name":"Parlance"|<meta name="parlance-api"/.test(await answer.text());
  } catch {
    return false;
  }
}

async function checkEngines(config: Config): Promise<void> {
  const log = createLog("error", Date.now, (line) => say("missing", line));
  const models = await openModelStore({ dataDir: config.dataDir, catalogue: modelCatalogue, log });
  const speech = await openEngines({ dataDir: config.dataDir, ...config.speech }, models);
  const languages = speech.options().filter((option) => option.available && option.resolvesTo === undefined);
  sayEngines("Speech", speech.infos());
  await speech.close();
  await models.close();
  if (languages.length === 0) say("missing", "No language can be recognized: transcription is off until an engine is installed");
  else say("ok", `Languages that are recognized: ${languages.map((option) => option.code).join(", ")}`);

  const translation = await openTranslation(config.translation);
  sayEngines("Translation", translation.infos());
  const pairs = translation.pairs().map(({ source, target }) => `${source}-${target}`);
  if (pairs.length === 0) say("missing", "No language pair can be translated: translation is off until an engine is installed");
  else say("ok", `Translations: ${pairs.length > 12 ? `${pairs.length} pairs` : pairs.join(", ")}`);
}

async function checkSpeechSynthesis(): Promise<void> {
  const { languages } = await openEspeak();
  // If it is missing, the list of tools says so.
  if (languages !== undefined) say("ok", `Read aloud: ${languages.length} languages (eSpeak NG, offline)`);
}

function sayEngines(kind: string, infos: readonly EngineInfo[]): void {
  for (const { name, available, offline, detail } of infos) {
    if (available) say("ok", `${kind}: ${name}${offline ? " (offline)" : ""}`);
    else say("missing", `${kind}: ${name}. ${detail ?? "It does not work."}`);
  }
}

async function checkReach(name: string, url: string | undefined): Promise<void> {
  if (url === undefined) return;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(reachLimit) });
    // Any response to this URL means that a server is there.
    say("ok", `${name} ${url} answers (${answer.status})`);
  } catch (error) {
    say("missing", `${name} ${url} does not answer (${reasonOf(error)}). Its functions fail until it does.`);
  }
}

checkNode();
checkTools();
const config = checkConfig();
if (config !== undefined) {
  await checkDataFolder(config.dataDir);
  await checkPort("PORT", config.port, config.host);
  await checkPort("WEB_PORT", config.webPort, config.host);
  await checkReach("SPEECH_API_URL", config.speech.apiUrl);
  await checkReach("TRANSLATION_API_URL", config.translation.apiUrl);
  await checkReach("LIBRETRANSLATE_URL", config.translation.libreUrl);
  await checkEngines(config);
  await checkSpeechSynthesis();
}
console.log(canRun ? "Parlance can run here." : "Parlance can't run here until you fix the problems above.");
process.exit(canRun ? 0 : 1);
