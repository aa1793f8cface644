import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "#scripts/tools.mjs";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";

/** Runs the setup where the only tool is an `apt-get` that notes its calls. @returns what it prints, and those calls */
async function setUp(env: Record<string, string>): Promise<{ printed: string; calls: string }> {
  // Not in memory, where programs may not be allowed to run.
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

test.runIf(canInstall)(
  "the setup names the system's packages and how to prevent their installation before it installs them",
  async () => {
    const { printed, calls } = await setUp({});
    expect(printed).toMatch(/^Installing with apt-get: ffmpeg apertium .*\(PARLANCE_SETUP=packages prevents this\)$/m);
    expect(calls).toMatch(/ install ffmpeg apertium /);
  },
);

test("with PARLANCE_SETUP=packages the setup leaves the system alone and lists the tools that are missing", async () => {
  const { printed, calls } = await setUp({ PARLANCE_SETUP: "packages" });
  expect(printed).toMatch(/^ffmpeg is missing: .* Install it: /m);
  expect(calls).toBe("");
});

test("the setup refuses another PARLANCE_SETUP, before it changes anything", async () => {
  await expect(setUp({ PARLANCE_SETUP: "package" })).rejects.toThrow('PARLANCE_SETUP is "package"');
});
