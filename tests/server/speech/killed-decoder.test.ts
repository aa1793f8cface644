import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { failureOf } from "#server/processing/failure.ts";
import { decodeToPcm } from "#server/speech/index.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";

afterEach(() => vi.unstubAllEnvs());

/** Decodes a recording that is good, with programs that end by this signal. */
async function decodeWith(signal: string, programs: readonly string[]): Promise<unknown> {
  const folder = await temporaryFolder();
  for (const program of programs) {
    const path = join(folder, program);
    await writeFile(path, `#!/bin/sh\nkill -${signal} $$\n`);
    await chmod(path, 0o755);
  }
  const recording = join(folder, "a.wav");
  await writeFile(recording, buzzWav(1));
  vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
  return decodeToPcm(recording, { onPcm: () => {} }).then(
    () => "decoded",
    (error: unknown) => failureOf(error),
  );
}

test.each([[["ffprobe"]], [["ffmpeg"]]])("a decoder that somebody kills (%s) says nothing against the file", async (programs) => {
  expect(await decodeWith("KILL", programs)).toMatchObject({ code: "internal", permanent: false });
  expect(await decodeWith("TERM", programs)).toMatchObject({ code: "internal", permanent: false });
});

test.each([[["ffprobe"]], [["ffmpeg"]]])("one that crashes or exceeds its time (%s) does", async (programs) => {
  expect(await decodeWith("SEGV", programs)).toMatchObject({ code: "notAudio", permanent: true });
  expect(await decodeWith("XCPU", programs)).toMatchObject({ code: "notAudio", permanent: true });
});
