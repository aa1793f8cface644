import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "#tests/fixtures/free-port.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { save } from "#tests/server/transcription/saved.ts";
import { hooks, logged, makeWebhook, sendingTo } from "./hooks.ts";

const guide = readFileSync(join(import.meta.dirname, "../../../docs/use/webhooks.md"), "utf8");

/** The guide's program in this language. */
const program = (language: string) => new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "m").exec(guide)?.[1] ?? "";

/** Starts a program. @returns its output lines, as they arrive */
async function started(command: string, file: string, source: string, env: Record<string, string>) {
  const path = join(await temporaryFolder(), file);
  await writeFile(path, source);
  const child = spawn(command, [path], { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => lines.push(line.trim()));
  await expect.poll(() => lines).toEqual(["listening"]);
  return lines;
}

test.each([
  ["js", process.execPath, "receiver.mjs"],
  ["python", "python3", "receiver.py"],
])(
  "runs the guide's receiver in %s, which prints messages and refuses wrong signatures",
  async (language, command, file) => {
    const port = await freePort();
    const { person } = await sendingTo({ port });
    const { id, secret } = await makeWebhook(person, `http://hooks.test:${port}/`);
    const forger = await makeWebhook(person, `http://hooks.test:${port}/`, { events: ["transcription.failed"] });
    const lines = await started(command, file, program(language), { WEBHOOK_SECRET: secret, PORT: String(port) });
    const made = await save(person);
    await logged(person, id, ({ state }) => state === "delivered");
    await person.call("POST", `${hooks}/${forger.id}/test`);
    await logged(person, forger.id, ({ status }) => status === 401);
    await person.call("POST", `${hooks}/${id}/test`);
    await logged(person, id, ({ state, type }) => type === "webhook.test" && state === "delivered");
    await expect.poll(() => lines).toEqual(["listening", `transcription.completed ${made.id}`, "webhook.test"]);
  },
  60_000,
);
