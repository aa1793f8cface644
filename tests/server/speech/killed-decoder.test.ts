import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { failureOf } from "#server/processing/failure.ts";
import { decodeToPcm } from "#server/speech/index.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";

afterEach(() => vi.unstubAllEnvs());

/** Decodes a valid recording with a program that ends by this signal. */
async function decodeWith(signal: string, program: string): Promise<unknown> {
  const folder = await temporaryFolder();
  const path = join(folder, program);
  await writeFile(path, `#!/bin/sh\nkill -${signal} $$\n`);
  await chmod(path, 0o755);
  const recording = join(folder, "a.wav");
  await writeFile(recording, buzzWav(1));
  vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
  return decodeToPcm(recording, { onPcm: () => {} }).then(
    () => "decoded",
    (error: unknown) => failureOf(error),
  );
}

// A signal means the same for both programs: each signal is tested once, each program with one of each kind.
test.each([
  ["KILL", "ffprobe"],
  ["TERM", "ffmpeg"],
])("doesn't blame the file when somebody kills the decoder (SIG%s to %s)", async (signal, program) => {
  expect(await decodeWith(signal, program)).toMatchObject({ code: "internal", permanent: false });
});

test.each([
  ["SEGV", "ffprobe"],
  ["XCPU", "ffmpeg"],
])("blames the file when the decoder crashes or exceeds its time (SIG%s of %s)", async (signal, program) => {
  expect(await decodeWith(signal, program)).toMatchObject({ code: "notAudio", permanent: true });
});
