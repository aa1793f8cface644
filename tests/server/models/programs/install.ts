// A process of its own that installs models as the server does, to be killed in the middle, to run on a disk of its own, and to be watched.
// Argument: InstallOrder as JSON. It says each state of the installation on standard output, a JSON a line, and hears commands on standard input.
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
  // Somebody else takes the space after it was looked at.
  freeBytes: async () => Number.MAX_SAFE_INTEGER,
});

/** Until it has ended, or is found to have. */
const follow = async () => {
  watch.read();
  const ended = await installer.settled(entry.id, ({ state }) => say({ type: "state", state }));
  const { state, failure, detail } = ended;
  const heldMs = watch.read();
  const folders = (await readdir(store.folders.root)).filter((name) => !/^\.(downloads|holds|installing|speeds)$/.test(name));
  say({ type: "ended", state, failure, detail, heldMs, folders, models: addedModels(store).map(({ id }) => id) });
};
const commands: Record<string, () => Promise<void>> = {
  /** Begins, or goes on after a failure. */
  install: async () => {
    await installer.install(entry.id);
    await follow();
  },
  /** What an earlier process has begun. */
  follow,
  makeRoom: () => rm(filler),
};
createInterface({ input: process.stdin }).on("line", (line) => void commands[line]?.());
say({ type: "ready" });
