// Installs models like the server in its own process, which tests kill, watch, or run on a separate disk. Argument:
// InstallOrder as JSON. Prints each state of the installation as one line of JSON, and reads commands from standard
// input.
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as v from "valibot";
import type { Log } from "#server/log/log.ts";
import { CatalogueModel } from "#server/models/catalogue.ts";
import { openInstaller } from "#server/models/installer.ts";
import { openModelStore } from "#server/models/store.ts";
import { watchEventLoop } from "#tests/server/event-loop-watch.ts";
import { addedModels } from "../added.ts";
import { InstallOrder, type InstallReport } from "./protocol.ts";

const {
  dataDir,
  entry: given,
  mirror,
  hangsWhileTrying,
  fillerBytes,
} = v.parse(InstallOrder, JSON.parse(process.argv[2] ?? "{}"));
const entry = v.parse(CatalogueModel, given);
const noLog: Log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
const filler = join(dataDir, "filler");
const say = (report: InstallReport) => process.stdout.write(`${JSON.stringify(report)}\n`);

if (fillerBytes > 0) await writeFile(filler, Buffer.alloc(fillerBytes));
const store = await openModelStore({ dataDir, catalogue: [entry], log: noLog });
const watch = watchEventLoop();
const installer = await openInstaller({
  store,
  catalogue: [entry],
  mirror,
  tryModel: () => (hangsWhileTrying ? new Promise(() => undefined) : Promise.resolve({})),
  log: noLog,
  now: Date.now,
  // Claims free space, as if somebody else used it up after the check.
  freeBytes: async () => Number.MAX_SAFE_INTEGER,
});

/** Reports the installation until it has ended. */
const follow = async () => {
  watch.read();
  const ended = await installer.settled(entry.id, ({ state }) => say({ type: "state", state }));
  const { state, failure, detail } = ended;
  const heldMs = watch.read();
  const folders = (await readdir(store.folders.root)).filter((name) => !/^\.(downloads|holds|installing|speeds)$/.test(name));
  say({ type: "ended", state, failure, detail, heldMs, folders, models: addedModels(store).map(({ id }) => id) });
};
const commands: Record<string, () => Promise<void>> = {
  /** Begins the installation, or resumes it after a failure. */
  install: async () => {
    await installer.install(entry.id);
    await follow();
  },
  /** Reports an installation that an earlier process has begun. */
  follow,
  makeRoom: () => rm(filler),
};
createInterface({ input: process.stdin }).on("line", (line) => void commands[line]?.());
say({ type: "ready" });
