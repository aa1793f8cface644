import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { endServers } from "#tests/browser/harness-build.ts";
import { makeTemporaryFolder, sweepTemporaryFolders } from "#tests/fixtures/temporary-root.ts";
import { temporaryFolder } from "./harness.ts";

const program = `
  const { makeTemporaryFolder } = await import(process.argv[1]);
  console.log(await makeTemporaryFolder(process.argv[2]));
  setInterval(() => {}, 1_000);
`;

test("removes only the folders of killed processes", async () => {
  const root = await temporaryFolder();
  const own = await makeTemporaryFolder(root);
  const modulePath = new URL("../fixtures/temporary-root.ts", import.meta.url).href;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program, modulePath, root], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  const names = [own, String(line).trim()].map((path) => basename(path));
  sweepTemporaryFolders([root]);
  expect((await readdir(root)).toSorted()).toEqual(names.toSorted());
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  sweepTemporaryFolders([root]);
  expect(await readdir(root)).toEqual([basename(own)]);
});

test.runIf(existsSync("/proc/self/environ"))(
  "ends a server that outlived its worker, even when the server's folder is already gone",
  async () => {
    const notes = join(await temporaryFolder(), "notes");
    await mkdir(notes);
    const start = (dataDir: string) => {
      const child = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1_000)"], {
        env: { PARLANCE_DATA: dataDir },
        stdio: "ignore",
        detached: true,
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      return child;
    };
    const [swept, another] = [start("/nowhere/swept"), start("/nowhere/another")];
    await writeFile(join(notes, "swept"), JSON.stringify({ dataDir: "/nowhere/swept", pid: swept.pid }));
    // This note has the pid of another process, as if its own had ended long ago.
    await writeFile(join(notes, "ended"), JSON.stringify({ dataDir: "/nowhere/ended", pid: another.pid }));
    const ended = once(swept, "exit");
    endServers(notes);
    await ended;
    expect([swept.signalCode, another.signalCode, existsSync(notes)]).toEqual(["SIGKILL", null, false]);
  },
);
