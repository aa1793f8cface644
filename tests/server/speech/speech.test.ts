import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EnginesAnswer } from "#contract/index.ts";
import { openEspeak, type SpeechSynthesizer } from "#server/speech/espeak.ts";
import { queues } from "#server/threads/queues.ts";
import { eventually, post, read, refusal, signUp, startTestServer, temporaryFolder } from "#tests/server/harness.ts";

const speech = "/api/v1/speech";

/** Length of a plain WAV file in seconds, from its own header. */
function secondsOf(wav: Buffer): number {
  expect(wav.toString("latin1", 0, 4)).toBe("RIFF");
  expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
  expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
  return wav.readUInt32LE(40) / wav.readUInt32LE(28);
}

/** A program that replaces eSpeak: it lists one voice and runs this script for a text. */
async function program(script: string): Promise<string> {
  const path = join(await temporaryFolder(), "espeak");
  const voices =
    'if [ "$1" = --voices ]; then printf "Pty Language Age/Gender VoiceName File\\n 5  es --/M Spanish roa/es\\n"; exit; fi';
  await writeFile(path, `#!/bin/sh\n${voices}\n${script}\n`);
  await chmod(path, 0o700);
  return path;
}

async function signedIn(synthesizer?: SpeechSynthesizer) {
  const server = await startTestServer(synthesizer === undefined ? {} : { synthesizer });
  return { server, person: await signUp(server) };
}

describe("POST /speech", () => {
  test("returns a text as a WAV file at the requested speed", async () => {
    const { person } = await signedIn();
    const say = async (rate?: number) => {
      const answer = await person.call("POST", speech, { text: "¿Dónde está el puerto viejo?", language: "es-ES", rate });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("Content-Type")).toBe("audio/wav");
      return secondsOf(Buffer.from(await answer.arrayBuffer()));
    };
    const [slow, plain, fast] = [await say(0.5), await say(), await say(2)];
    expect(plain).toBeGreaterThan(1);
    expect(slow).toBeGreaterThan(plain * 1.5);
    expect(fast).toBeLessThan(plain * 0.7);
  });

  test("speaks the languages that GET /engines names", async () => {
    const { server, person } = await signedIn();
    const { aloud } = await read(await fetch(`${server.apiUrl}/api/v1/engines`), 200, EnginesAnswer);
    const languages = aloud?.languages ?? [];
    expect(languages).toEqual(languages.toSorted());
    expect(languages).toEqual(expect.arrayContaining(["da", "de", "en", "es", "fi", "fr", "it", "nl", "no", "pt", "sv", "zh"]));
    for (const language of ["pt-br", "zh-TW", "no-NO", "en"]) {
      expect((await person.call("POST", speech, { text: "1", language })).status).toBe(200);
    }
  });

  test("keeps a text off the command line and reads options and phonemes in it as text", async () => {
    const echo = await program('printf "%s|" "$@" > "$0.args"; cat > "$0.text"');
    const { person } = await signedIn(await openEspeak({ program: echo }));
    const answer = await person.call("POST", speech, { text: "--help [[h@l'oU]]\u0000\nline", language: "es", rate: 1.5 });
    expect(answer.status).toBe(200);
    expect(await readFile(`${echo}.text`, "utf8")).toBe("--help [ [h@l'oU]] line");
    expect(await readFile(`${echo}.args`, "utf8")).toBe("-v|es|-s|263|-b|1|--stdin|--stdout|");
  });

  test.each<[string, object, string]>([
    ["is empty", { text: " ", language: "es" }, "400 badRequest"],
    ["is too long", { text: "a".repeat(2_001), language: "es" }, "400 badRequest"],
    ["is to be spoken too fast", { text: "a", language: "es", rate: 2.1 }, "400 badRequest"],
    ["is in no language", { text: "a", language: "-v en" }, "400 badRequest"],
    ["is in a language without a voice", { text: "a", language: "xx" }, "422 languageUnavailable"],
    ["is in a language that nobody knows", { text: "a", language: "auto" }, "422 languageUnavailable"],
  ])("refuses a text that %s", async (_, body, expected) => {
    const { person } = await signedIn();
    expect(await refusal(await person.call("POST", speech, body))).toBe(expected);
  });

  test("refuses to speak without a sign-in", async () => {
    const { server } = await signedIn();
    expect(await refusal(await post(server, speech, { text: "a", language: "es" }))).toBe("401 unauthorized");
  });
});

describe("streaming of several sentences", () => {
  /** Returns the first part at once and the others on request. */
  function inParts(rest: () => AsyncIterable<Buffer>): SpeechSynthesizer {
    return {
      languages: ["es"],
      supports: () => true,
      speak: async () => Buffer.from("RIFF, whole"),
      stream: async function* () {
        yield Buffer.from("RIFF");
        yield* rest();
      },
    };
  }
  const two = { text: "Uno. Dos.", language: "es" };

  test("streams sentences as they are spoken", async () => {
    const go = Promise.withResolvers<void>();
    const { person } = await signedIn(
      inParts(async function* () {
        await go.promise;
        yield Buffer.from(" and more");
      }),
    );
    const answer = await person.call("POST", speech, two);
    expect([answer.status, answer.headers.get("Content-Length")]).toEqual([200, null]);
    const reader = answer.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("RIFF");
    go.resolve();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(" and more");
    expect((await reader?.read())?.done).toBe(true);
    expect(await (await person.call("POST", speech, { ...two, text: "Uno." })).text()).toBe("RIFF, whole");
  });

  test("breaks off the stream when a voice fails midway and reports a failure before the start", async () => {
    const go = Promise.withResolvers<void>();
    const fails = inParts(async function* () {
      await go.promise;
      yield await Promise.reject(new Error("broken"));
    });
    const { person } = await signedIn(fails);
    const reader = (await person.call("POST", speech, two)).body?.getReader();
    await reader?.read();
    go.resolve();
    await expect(reader?.read()).rejects.toThrow();
    const never = await signedIn({
      ...fails,
      stream: async function* () {
        yield await Promise.reject(new Error("broken"));
      },
    });
    expect(await refusal(await never.person.call("POST", speech, two))).toBe("502 engineFailed");
  });

  test("stops speaking when the listener disconnects", async () => {
    const ended = Promise.withResolvers<void>();
    const { server, person } = await signedIn({
      ...inParts(async function* () {}),
      stream: async function* ({ signal }) {
        try {
          yield Buffer.from("RIFF");
          await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
        } finally {
          ended.resolve();
        }
      },
    });
    const gone = new AbortController();
    await fetch(`${server.apiUrl}${speech}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${person.token}` },
      body: JSON.stringify(two),
      signal: gone.signal,
    });
    gone.abort();
    await ended.promise;
  });
});

describe("eSpeak", () => {
  test("hides reading aloud and refuses calls when eSpeak isn't installed", async () => {
    const { server, person } = await signedIn(await openEspeak({ program: "/nonexistent/espeak-ng" }));
    expect((await read(await fetch(`${server.apiUrl}/api/v1/engines`), 200, EnginesAnswer)).aloud).toBeUndefined();
    expect(await refusal(await person.call("POST", speech, { text: "a", language: "es" }))).toBe("503 engineUnavailable");
  });

  test("reports whether eSpeak fails, hangs or never ends", async () => {
    const fails = await signedIn(await openEspeak({ program: await program("exit 3") }));
    expect(await refusal(await fails.person.call("POST", speech, { text: "a", language: "es" }))).toBe("502 engineFailed");
    const hangs = await signedIn(await openEspeak({ program: await program("exec sleep 60"), timeoutMs: 50 }));
    expect(await refusal(await hangs.person.call("POST", speech, { text: "a", language: "es" }))).toBe("504 engineTimeout");
    const floods = await signedIn(await openEspeak({ program: await program("exec cat /dev/zero") }));
    expect(await refusal(await floods.person.call("POST", speech, { text: "a", language: "es" }))).toBe("502 engineFailed");
  });

  test("ends eSpeak's process when the listener disconnects", async () => {
    const hangs = await program('echo $$ > "$0.pid"; exec sleep 60');
    const { server, person } = await signedIn(await openEspeak({ program: hangs }));
    const gone = new AbortController();
    const request = fetch(`${server.apiUrl}${speech}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${person.token}` },
      body: JSON.stringify({ text: "a", language: "es" }),
      signal: gone.signal,
    });
    const pid = Number(
      await eventually(
        () => readFile(`${hangs}.pid`, "utf8").catch(() => ""),
        (text) => text.endsWith("\n"),
      ),
    );
    gone.abort();
    await expect(request).rejects.toThrow();
    await eventually(
      async () => isRunning(pid),
      (running) => !running,
    );
  });

  test("limits one user's simultaneous requests without affecting another user", async () => {
    const go = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    const { server, person } = await signedIn({
      languages: ["es"],
      supports: () => true,
      speak: async ({ text }) => {
        if (text === "b") return Buffer.from("RIFF");
        running += 1;
        most = Math.max(most, running);
        await go.promise;
        running -= 1;
        return Buffer.from("RIFF");
      },
    });
    const say = () => person.call("POST", speech, { text: "a", language: "es" });
    const calls = Array.from({ length: 26 }, say);
    const refused = await Promise.race(calls);
    expect(refused.headers.get("Retry-After")).toBe("5");
    expect(await refusal(refused)).toBe("429 tooManyAtOnce");
    const other = await signUp(server);
    expect((await other.call("POST", speech, { text: "b", language: "es" })).status).toBe(200);
    go.resolve();
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(24);
    expect(most).toBe(queues.voices.ofOne);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
