import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createSpeaker, type Synthesis } from "#src/audio/speaker.ts";

interface Voice {
  lang: string;
  localService: boolean;
}

/** The browser's speech synthesis; the test decides what happens to an utterance. */
class FakeSynthesis extends EventTarget implements Synthesis {
  readonly said: { text: string; rate: number; lang: string }[] = [];
  readonly #voices: readonly Voice[];
  readonly #ends: boolean;
  cancelled = 0;

  constructor(voices: readonly Voice[], ends = true) {
    super();
    this.#voices = voices;
    this.#ends = ends;
  }

  getVoices(): readonly SpeechSynthesisVoice[] {
    return this.#voices.map((voice) => ({ ...voice, name: voice.lang, voiceURI: voice.lang, default: false }));
  }

  speak(utterance: SpeechSynthesisUtterance): void {
    const { text, rate, lang } = utterance;
    this.said.push({ text, rate, lang });
    utterance.dispatchEvent(new Event(this.#ends ? "end" : "error"));
  }

  cancel(): void {
    this.cancelled += 1;
  }
}

class FakeUtterance extends EventTarget {
  readonly text: string;
  constructor(text: string) {
    super();
    this.text = text;
  }
}

const { signal } = new AbortController();
const spanish = { text: "Hola. ¿Qué tal?", language: "es", rate: 1.5 };
const setUp = (synthesis: FakeSynthesis | undefined, server: readonly string[] = []) => {
  const asked: string[] = [];
  const speaker = createSpeaker({
    synthesis,
    serverSpeaks: (language) => server.includes(language),
    ask: async ({ text }) => {
      asked.push(text);
      return new Blob();
    },
  });
  return { speaker, asked };
};

beforeEach(() => {
  vi.stubGlobal("SpeechSynthesisUtterance", FakeUtterance);
  vi.stubGlobal(
    "Audio",
    class extends EventTarget {
      src = "";
      async play() {
        this.dispatchEvent(new Event("ended"));
      }
      pause() {}
    },
  );
});
afterEach(() => void vi.unstubAllGlobals());

describe("spoken translation", () => {
  test("uses this device's voice, sentence by sentence, at the chosen speed", async () => {
    const synthesis = new FakeSynthesis([
      { lang: "es-MX", localService: false },
      { lang: "es-ES", localService: true },
    ]);
    const { speaker, asked } = setUp(synthesis, ["es"]);
    expect(speaker.kindFor("es")).toBe("device");
    await speaker.speak(spanish, signal);
    expect(synthesis.said).toEqual([
      { text: "Hola. ", rate: 1.5, lang: "es-ES" },
      { text: "¿Qué tal?", rate: 1.5, lang: "es-ES" },
    ]);
    expect(asked).toEqual([]);
  });

  // PROMISE translation: The server reads a translation aloud where the browser has no voice
  test("prefers the server to the browser vendor's voice if the device has none", async () => {
    const { speaker, asked } = setUp(new FakeSynthesis([{ lang: "es-ES", localService: false }]), ["es"]);
    expect(speaker.kindFor("es")).toBe("server");
    await speaker.speak(spanish, signal);
    expect(asked).toEqual(["Hola. ", "¿Qué tal?"]);
  });

  test("requests the second sentence from the server during the first", async () => {
    const heard: (() => void)[] = [];
    vi.stubGlobal(
      "Audio",
      class extends EventTarget {
        async play() {
          heard.push(() => this.dispatchEvent(new Event("ended")));
        }
        pause() {}
      },
    );
    const { speaker, asked } = setUp(undefined, ["es"]);
    const speaking = speaker.speak({ ...spanish, text: "Uno. Dos. Tres." }, signal);
    await expect.poll(() => heard).toHaveLength(1);
    expect(asked).toEqual(["Uno. ", "Dos. "]);
    heard[0]?.();
    await expect.poll(() => heard).toHaveLength(2);
    expect(asked).toEqual(["Uno. ", "Dos. ", "Tres."]);
    heard[1]?.();
    await expect.poll(() => heard).toHaveLength(3);
    heard[2]?.();
    await speaking;
  });

  test("speaking splits a long sentence without losing any text", async () => {
    const { speaker, asked } = setUp(undefined, ["es"]);
    const text = `Al principio, ${"muchas palabras ".repeat(8)}, ${"y más ".repeat(50)}${"x".repeat(450)}. Fin.`;
    await speaker.speak({ ...spanish, text }, signal);
    expect(asked.join("")).toBe(text);
    expect(Math.max(...asked.map((part) => part.length))).toBeLessThanOrEqual(201);
    expect(asked[0]).toMatch(/, $/);
  });

  test("uses another voice when the server fails, even in a later sentence", async () => {
    const speaker = createSpeaker({
      synthesis: undefined,
      serverSpeaks: () => true,
      ask: async ({ text }) => {
        if (text === "Dos.") throw new Error("no answer");
        return new Blob();
      },
    });
    await expect(speaker.speak({ ...spanish, text: "Uno. Dos." }, signal)).rejects.toThrow("no answer");
  });

  test("uses the browser vendor's voice only as a last resort, and says so", () => {
    const { speaker } = setUp(new FakeSynthesis([{ lang: "es_ES", localService: false }]));
    expect(speaker.kindFor("es")).toBe("online");
  });

  test("uses the server when a listed voice is missing", async () => {
    const { speaker, asked } = setUp(new FakeSynthesis([{ lang: "es-ES", localService: true }], false), ["es"]);
    await speaker.speak(spanish, signal);
    expect(asked).toEqual(["Hola. ", "¿Qué tal?"]);
  });

  test("speaking a translation fails with a clear error without any voice", async () => {
    const { speaker } = setUp(undefined);
    expect(speaker.kindFor("es")).toBeNull();
    await expect(speaker.speak(spanish, signal)).rejects.toMatchObject({ code: "noVoice" });
    const broken = setUp(new FakeSynthesis([{ lang: "es-ES", localService: true }], false));
    await expect(broken.speaker.speak(spanish, signal)).rejects.toMatchObject({ code: "noVoice" });
  });

  test("speaking stops loading when it is stopped", async () => {
    const acts: string[] = [];
    const revoke = vi.spyOn(URL, "revokeObjectURL").mockImplementation(() => void acts.push("revoked"));
    vi.stubGlobal(
      "Audio",
      class extends EventTarget {
        src = "";
        async play() {
          acts.push("playing");
        }
        pause() {}
        removeAttribute(name: string) {
          acts.push(`no ${name}`);
        }
        load() {
          acts.push("nothing to load");
        }
      },
    );
    const stop = new AbortController();
    const speaking = setUp(undefined, ["es"]).speaker.speak(spanish, stop.signal);
    await expect.poll(() => acts).toEqual(["playing"]);
    stop.abort(new Error("stopped"));
    await expect(speaking).rejects.toThrow("stopped");
    expect(acts).toEqual(["playing", "no src", "nothing to load", "revoked"]);
    revoke.mockRestore();
  });

  test("speaking a translation ends when it is stopped", async () => {
    const synthesis = new FakeSynthesis([{ lang: "es-ES", localService: true }]);
    const stop = new AbortController();
    stop.abort(new Error("stopped"));
    await expect(setUp(synthesis).speaker.speak(spanish, stop.signal)).rejects.toThrow("stopped");
    expect([synthesis.said, synthesis.cancelled]).toEqual([[], 1]);
  });
});
