import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { read, settled, signUp, startTestServer, temporaryFolder, upload } from "#tests/server/harness.ts";
import { spokenWav } from "#tests/server/jobs/scripted.ts";
import { makeToken } from "#tests/server/personal-tokens/tokens.ts";

const run = promisify(execFile);
const guide = readFileSync(join(import.meta.dirname, "../../../docs/use/programs.md"), "utf8");

/** The guide's program in this language. */
function program(language: string): string {
  return new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "m").exec(guide)?.[1] ?? "";
}

// PROMISE programs: The programs in docs/use/programs.md run as printed
test(
  "the guide's programs in curl, Python and JavaScript transcribe a recording and print its text",
  async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const { text } = await settled(person, (await read(await upload(person, spokenWav(2)), 202, Transcription)).id);
    expect(text).not.toBe("");
    const { made } = await makeToken(person, { scopes: ["transcriptions:read", "transcriptions:write"] });
    const folder = await temporaryFolder();
    const recording = join(folder, "talk.wav");
    await writeFile(recording, spokenWav(2));
    const env = { ...process.env, PARLANCE_URL: server.apiUrl, PARLANCE_TOKEN: made.token };
    const programs: [file: string, command: string, source: string][] = [
      ["transcribe.sh", "sh", program("sh")],
      ["transcribe.py", "python3", program("python")],
      ["transcribe.mjs", process.execPath, program("js")],
    ];
    // The programs run at the same time, because each sleeps before it polls again.
    const printed = await Promise.all(
      programs.map(async ([file, command, source]) => {
        expect(source).toContain("upload-and-transcribe");
        await writeFile(join(folder, file), source);
        return [file, (await run(command, [join(folder, file), recording], { env })).stdout];
      }),
    );
    expect(printed).toEqual(programs.map(([file]) => [file, expect.stringContaining(text)]));
  },
  timeLimit(180_000),
);
