import { describe, expect, test } from "vitest";
import { listenWithBrowser, type RecognizedText } from "#src/audio/browser-listening.ts";
import { type BrowserRecognizer, browserRecognizer, recognizerTag, whereRecognized } from "#src/audio/browser-recognizer.ts";

/** A stand-in for the browser's speech recognizer; the test triggers its results. */
class StandIn implements BrowserRecognizer {
  static last: StandIn | undefined;
  lang = "";
  continuous = false;
  interimResults = false;
  maxAlternatives = 0;
  processLocally = false;
  onresult: BrowserRecognizer["onresult"] = null;
  onerror: BrowserRecognizer["onerror"] = null;
  onend: BrowserRecognizer["onend"] = null;
  readonly called: string[] = [];
  readonly results: { isFinal: boolean; 0: { transcript: string } }[] = [];
  constructor() {
    StandIn.last = this;
  }
  start() {
    this.called.push("start");
  }
  stop() {
    this.called.push("stop");
  }
  abort() {
    this.called.push("abort");
  }
  hear(index: number, transcript: string, isFinal = false) {
    this.results[index] = { isFinal, 0: { transcript } };
    this.onresult?.({ results: this.results });
  }
}

class Busy extends StandIn {
  override start(): never {
    throw new DOMException("already started", "InvalidStateError");
  }
}

function setUp(options: { onDevice?: boolean; Recognizer?: typeof StandIn } = {}) {
  const time = { elapsed: 0 };
  const finals: RecognizedText[] = [];
  const partials: string[] = [];
  const events: string[] = [];
  const listening = listenWithBrowser({
    Recognizer: options.Recognizer ?? StandIn,
    tag: "de-DE",
    onDevice: options.onDevice ?? false,
    track: undefined,
    elapsed: () => time.elapsed,
    recognizedUntil: () => finals.at(-1)?.end ?? 0,
    onPartial: (text) => partials.push(text),
    onFinal: (recognized) => finals.push(recognized),
    onRecognized: () => events.push("recognized"),
    onProblem: (code) => events.push(code),
    onEnd: () => events.push("end"),
  });
  const recognizer = StandIn.last;
  if (recognizer === undefined) throw new Error("nothing was started");
  return { listening, recognizer, time, finals, partials, events };
}

describe("browser's own recognizer", () => {
  test("the browser's own recognizer is found under both names, or not at all", () => {
    expect(browserRecognizer({ SpeechRecognition: StandIn })).toBe(StandIn);
    expect(browserRecognizer({ webkitSpeechRecognition: StandIn })).toBe(StandIn);
    expect(browserRecognizer({ SpeechRecognition: "no" })).toBeUndefined();
    expect([recognizerTag("pt-br"), recognizerTag("no-NO"), recognizerTag("de-DE")]).toEqual(["pt-BR", "nb-NO", "de-DE"]);
  });

  test("reports where it recognizes a language, if the browser can tell", async () => {
    const answering = (local: string, anywhere: string, more: object = {}) =>
      whereRecognized(
        Object.assign(class extends StandIn {}, {
          available: async ({ processLocally }: { processLocally: boolean }) => (processLocally ? local : anywhere),
          ...more,
        }),
        "de-DE",
      );
    const install = { install: async () => true };
    expect(await answering("available", "available")).toEqual({ place: "device", isInstallable: false });
    expect(await answering("unavailable", "available")).toEqual({ place: "vendor", isInstallable: false });
    expect(await answering("downloadable", "available", install)).toEqual({ place: "vendor", isInstallable: true });
    expect(await answering("downloadable", "available")).toEqual({ place: "vendor", isInstallable: false });
    expect(await answering("unavailable", "unavailable", install)).toBeUndefined();
    expect(await whereRecognized(StandIn, "de-DE")).toEqual({ place: "vendor", isInstallable: false });
    const refusing = { available: () => Promise.reject(new DOMException("", "NotAllowedError")) };
    expect(await answering("", "", refusing)).toBeUndefined();
  });

  // PROMISE speech: The browser's own speech service is used only with the person's consent
  test("listens continuously, with interim words, and on the device if possible", () => {
    const { recognizer } = setUp();
    expect(recognizer).toMatchObject({ lang: "de-DE", continuous: true, interimResults: true, processLocally: false });
    expect(setUp({ onDevice: true }).recognizer.processLocally).toBe(true);
  });

  test("gives interim words, then final ones with times of the page's clock", () => {
    const { recognizer, time, finals, partials, events } = setUp();
    time.elapsed = 2;
    recognizer.hear(0, "guten");
    time.elapsed = 3;
    recognizer.hear(0, "guten Tag", true);
    recognizer.hear(1, "zusammen", true);
    expect(partials).toEqual(["guten", "", ""]);
    expect(finals).toEqual([
      { start: 1.5, end: 3, text: "guten Tag" },
      { start: 3, end: 3.01, text: "zusammen" },
    ]);
    expect(events).toEqual(["recognized"]);
  });

  test("the browser's recognition keeps interim words when it ends", () => {
    const first = setUp();
    first.time.elapsed = 1;
    first.recognizer.hear(0, "halbe");
    first.recognizer.onend?.();
    expect(first.finals).toEqual([{ start: 0.5, end: 1, text: "halbe" }]);
    expect(first.events).toEqual(["recognized", "end"]);
    const second = setUp();
    second.recognizer.hear(0, "andere Hälfte");
    second.listening.close();
    expect(second.finals.map(({ text }) => text)).toEqual(["andere Hälfte"]);
    expect(second.recognizer.called).toEqual(["start", "abort"]);
    second.recognizer.hear(0, "zu spät", true);
    expect(second.finals).toHaveLength(1);
  });

  test("reports its error, and gives its last words when stopped", () => {
    const { listening, recognizer, finals, events } = setUp();
    listening.stop();
    recognizer.hear(0, "Ende", true);
    recognizer.onerror?.({ error: "network" });
    recognizer.onend?.();
    expect(recognizer.called).toEqual(["start", "stop"]);
    expect(finals.map(({ text }) => text)).toEqual(["Ende"]);
    expect(events).toEqual(["recognized", "network", "end"]);
  });

  test("the browser's recognition counts as interrupted when it does not start", async () => {
    const { events } = setUp({ Recognizer: Busy });
    await Promise.resolve();
    expect(events).toEqual(["aborted", "end"]);
  });
});
