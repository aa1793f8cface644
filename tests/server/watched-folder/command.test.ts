import { spawn } from "node:child_process";
import { copyFile, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { node26, root } from "#scripts/tools.mjs";
import { readArguments } from "#server/watched-folder/arguments.ts";
import { marketText } from "#tests/fixtures/audio/texts.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { spoken } from "../engines/real.ts";
import { eventually, temporaryFolder } from "../harness.ts";

const audio = join(root, "tests", "fixtures", "audio");

/** Runs `npm run transcribe -- …` with real engines. */
async function transcribe(folder: string, ...args: string[]) {
  const data = await temporaryFolder();
  const temporary = await temporaryFolder();
  const program = join(root, "scripts", "transcribe.ts");
  const child = spawn(node26, ["--disable-warning=ExperimentalWarning", program, ...args], {
    cwd: folder,
    env: { ...process.env, PARLANCE_DATA: data, TMPDIR: temporary },
  });
  const said = { out: "", errors: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.errors += text;
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, ...said, temporary };
}

/** ms; two programs load and use the real models, which takes twenty seconds on an idle machine. */
const realModels = timeLimit(240_000);

// PROMISE folder: `npm run transcribe` does the same without a server
test("writes texts beside recordings without a server and reports unreadable files", { timeout: realModels }, async () => {
  const folder = await temporaryFolder();
  await copyFile(join(audio, "market.mp3"), join(folder, "market.mp3"));
  await copyFile(join(audio, "not-audio.mp3"), join(folder, "song.mp3"));
  await symlink(join(folder, "market.mp3"), join(folder, "link.mp3"));
  const done = await transcribe(folder, "--formats", "txt,vtt", "--translate", "es", "market.mp3", "song.mp3", "missing.wav");
  expect(done.code).toBe(1);
  // Apertium's script ends after the program that started it.
  await eventually(
    () => readdir(done.temporary),
    (left) => left.length === 0,
  );
  expect(done.out.trim().split("\n")).toEqual([join(folder, "market.txt"), join(folder, "market.vtt")]);
  expect(done.errors).toBe("song.mp3: The file has no readable audio.\nmissing.wav: There is no such file.\n");
  expect((await readdir(folder)).sort()).toEqual(["link.mp3", "market.mp3", "market.txt", "market.vtt", "song.mp3"]);
  const text = await readFile(join(folder, "market.txt"), "utf8");
  expect(spoken(text)).toContain(spoken(marketText));
  expect(text.toLowerCase()).toContain("puerto");
  expect(await readFile(join(folder, "market.vtt"), "utf8")).toMatch(/^WEBVTT/);
});

test("explains invalid arguments and prints its usage", async () => {
  for (const [args, beginning] of [
    [[], "npm run transcribe -- <file> …"],
    [["--language", "klingon", "a.mp3"], "--language: "],
    [["--formats", "txt,exe", "a.mp3"], "--formats: "],
    [["--loud", "a.mp3"], "--loud"],
  ] as const) {
    expect(() => readArguments(args)).toThrow(beginning);
  }
  const { code, errors } = await transcribe(root, "--language", "klingon", "a.mp3");
  expect(code).toBe(2);
  expect(errors).toMatch(/^--language: .*\n\nnpm run transcribe -- <file> …\n/);
  expect(readArguments(["--speakers", "--formats", "txt, srt", "a.mp3", "b.mp3"])).toEqual({
    files: ["a.mp3", "b.mp3"],
    wishes: { speakers: true, formats: ["txt", "srt"] },
  });
  expect(readArguments(["a.mp3"]).wishes.formats).toEqual(["txt", "srt", "json"]);
});
