import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryFolder, sweepTemporaryFolders } from "#tests/fixtures/temporary-root.ts";
import { temporaryFolder } from "./harness.ts";

const program = `
  const { makeTemporaryFolder } = await import(process.argv[1]);
  console.log(await makeTemporaryFolder(process.argv[2]));
  setInterval(() => {}, 1_000);
`;

test("the folders of processes that were killed are removed, and nobody else's", async () => {
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
