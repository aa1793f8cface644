import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Transcription } from "#contract/index.ts";
import { base, type Person, read, settled, signUp, startTestServer } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { type Media, sending } from "#tests/server/media.ts";

/** A recording of one second. */
export const wav = buzzWav(1);
export const audio = sending(wav, { "Content-Type": "audio/wav" });
/** ms */
export const times = { connectMs: 400, idleMs: 400, wholeMs: 3_000 };

export const ask = (person: Person, url: string) =>
  person.call("POST", `${base}/transcribe-url`, { clientId: crypto.randomUUID(), sourceLanguage: "en", url });

/** Names that resolve to another address at each lookup. The last address stays. */
function changing(names: Record<string, string[]>) {
  const asked: string[] = [];
  const resolve = async (hostname: string) => {
    asked.push(hostname);
    const left = names[hostname] ?? [];
    const address = left.length > 1 ? left.shift() : left[0];
    return address === undefined ? [] : [{ address }];
  };
  return { resolve, asked };
}

/** A server that may fetch from `media.test` on the port of `media`, and a user. */
export async function attacked(
  media: Media,
  names: Record<string, string[]> = {},
  options: Parameters<typeof startTestServer>[0] = {},
) {
  const { resolve, asked } = changing({ "media.test": ["127.0.0.1"], ...names });
  const env = { FETCH_ALLOW_HOSTS: `media.test:${media.port},secure.test:${media.port}`, MAX_UPLOAD_MB: "1", ...options.env };
  const now = { at: Date.now() };
  const server = await startTestServer({ resolve, fetchTimes: times, now: () => now.at, ...options, env });
  const person = await signUp(server);
  const outcome = async (path: string, origin = `http://media.test:${media.port}`) => {
    const { id } = await read(await ask(person, origin + path), 202, Transcription);
    // Temporary failures are retried three times with pauses. The clock moves only one second at a time: a sign-in
    // expires after 15 minutes.
    const hurry = setInterval(() => {
      now.at += 1_000;
    }, 20);
    try {
      const { status, error, hasAudio } = await settled(person, id);
      return { status, code: error?.code, hasAudio };
    } finally {
      clearInterval(hurry);
    }
  };
  const rest = async () => ({
    incoming: await readdir(join(server.dataDir, "incoming")),
    audio: await readdir(join(server.dataDir, "audio")),
  });
  return { server, person, outcome, rest, asked };
}

export const failed = (code: string) => ({ status: "failed", code, hasAudio: false });
/** The state after a failed fetch. */
export const nothing = { incoming: [], audio: [] };
