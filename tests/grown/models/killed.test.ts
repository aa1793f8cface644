import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openModelStore } from "#server/models/store.ts";
import type { Faults } from "#tests/fixtures/model-mirror.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { addedFolders, addedModels } from "#tests/server/models/added.ts";
import { smallBzip2 } from "#tests/server/models/bzip2.ts";
import { entryOf, noLog, startMirror } from "#tests/server/models/harness.ts";
import { startInstalling } from "#tests/server/models/programs/start.ts";

// SIGKILL ends the process without any clean-up.

const id = "tiny";
const name = "tiny.tar.bz2";

/** A folder in PATH with a program called bzip2 that unpacks nothing while its parent is running. */
async function withSlowBzip2() {
  const folder = join(await temporaryFolder(), "bin");
  const pidFile = join(folder, "pid");
  await mkdir(folder);
  await writeFile(join(folder, "bzip2"), `#!/bin/sh\necho "$PPID" > ${pidFile}\nwhile kill -0 "$PPID"; do sleep 0.1; done\n`);
  await chmod(join(folder, "bzip2"), 0o755);
  const pid = async () => Number(await readFile(pidFile, "utf8").catch(() => ""));
  return { env: { PATH: `${folder}:${process.env.PATH}` }, pid };
}

/**
 * Whether the process is running. An ended process may be listed until its parent has read its status. Without /proc,
 * none is running.
 */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return status !== undefined && !/\) [ZX] /.test(status);
}

const never: Faults = { stallsAfter: 0 };

// PROMISE models: An interrupted download goes on with the bytes on the disk
test.each([
  ["downloading", { archive: { stallsAfter: 100 }, list: {} }],
  ["verifying", { archive: {}, list: never }],
  ["unpacking", { archive: {}, list: {} }],
  ["trying", { archive: {}, list: {} }],
] as const)(
  "counts nothing as installed when the server is killed while %s, and continues after its start",
  async (state, faults) => {
    const mirror = await startMirror();
    const { bytes, sha256 } = smallBzip2;
    const list = Buffer.from(`${name}\t${sha256}\n`);
    mirror.put(name, bytes, faults.archive);
    mirror.put("checksum.txt", list, faults.list);
    const entry = entryOf(id, { archive: { name, urls: [`https://models.invalid/${name}`] } });
    const dataDir = await temporaryFolder();
    const order = { dataDir, entry, mirror: mirror.url };

    const slow = state === "unpacking" ? await withSlowBzip2() : undefined;
    const options = slow === undefined ? {} : { env: slow.env };
    const first = await startInstalling({ ...order, hangsWhileTrying: state === "trying" }, options);
    first.say("install");
    await first.reached(state);
    await expect.poll(() => mirror.requests.filter(({ path }) => path === name).at(-1)?.sent).toBeGreaterThanOrEqual(100);
    // Sent bytes may still be on their way to the file.
    const arrived = async () => (await stat(join(dataDir, "models", ".downloads", id, name)).catch(() => undefined))?.size;
    if (state === "downloading") await expect.poll(arrived).toBe(100);
    if (slow !== undefined) await expect.poll(slow.pid).toBeGreaterThan(0);
    await first.kill();
    // The process that unpacks ends with it.
    const pid = await slow?.pid();
    if (pid !== undefined) await expect.poll(() => isRunning(pid)).toBe(false);

    const store = await openModelStore({ dataDir, catalogue: [entry], log: noLog });
    onTestFinished(() => store.close());
    expect(addedFolders(store)).toEqual([]);

    mirror.put(name, bytes);
    mirror.put("checksum.txt", list);
    mirror.requests.length = 0;
    const second = await startInstalling(order);
    second.say("follow");
    expect(await second.ended()).toMatchObject({ state: "installed", folders: [id], models: [id] });
    // Received bytes are not downloaded again.
    const again = mirror.requests.filter(({ path }) => path === name).map(({ range }) => range);
    expect(again).toEqual(state === "downloading" ? ["bytes=100-"] : []);
    expect(await readdir(join(dataDir, "models", ".downloads"))).toEqual([]);
    await store.rescan();
    expect(addedModels(store)).toMatchObject([{ id, check: "release" }]);
  },
  60_000,
);
