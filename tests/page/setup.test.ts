import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "#scripts/tools.mjs";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";

/** Runs the setup with an `apt-get` that only records its calls. @returns the output and those calls */
async function setUp(env: Record<string, string>): Promise<{ printed: string; calls: string }> {
  // On disk: programs may not be allowed to run from a folder in memory.
  const folder = await makeTemporaryFolder(tmpdir());
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const calls = join(folder, "calls");
  writeFileSync(join(folder, "apt-get"), `#!/bin/sh\necho "$@" >> "${calls}"\n`, { mode: 0o755 });
  const printed = execFileSync(process.execPath, [join(root, "scripts/setup.mjs")], {
    env: { PATH: folder, ...env },
    encoding: "utf8",
    stdio: "pipe",
  });
  return { printed, calls: existsSync(calls) ? readFileSync(calls, "utf8") : "" };
}

const canInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

test.runIf(canInstall)("names the system's packages, and how to prevent their installation, before installing them", async () => {
  const { printed, calls } = await setUp({});
  expect(printed).toMatch(/^Installing with apt-get: ffmpeg apertium .*\(PARLANCE_SETUP=packages prevents this\)$/m);
  expect(calls).toMatch(/ install ffmpeg apertium /);
});

test("lists missing tools without installing them when PARLANCE_SETUP=packages", async () => {
  const { printed, calls } = await setUp({ PARLANCE_SETUP: "packages" });
  expect(printed).toMatch(/^ffmpeg is missing: .* Install it: /m);
  expect(calls).toBe("");
});

test("refuses another PARLANCE_SETUP before it changes anything", async () => {
  await expect(setUp({ PARLANCE_SETUP: "package" })).rejects.toThrow('PARLANCE_SETUP is "package"');
});
