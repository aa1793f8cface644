import { describe, expect, test } from "vitest";
import {
  selectCanReplay,
  selectCanRetry,
  selectCanSpeak,
  selectCanType,
  selectIsBusy,
  selectIsRecorded,
  selectIsUnderWay,
  selectPlayedTurn,
  selectTurnFailure,
  selectTypedText,
  selectVoiceFailure,
} from "#machines/translator/selectors.ts";
import { setUp } from "./harness.ts";

type Harness = ReturnType<typeof setUp>;

/** The visible state of the translator, by name. */
function seen({ get }: Harness): string[] {
  const snapshot = get();
  const all = {
    canSpeak: selectCanSpeak(snapshot),
    canType: selectCanType(snapshot),
    canReplay: selectCanReplay(snapshot),
    canRetry: selectCanRetry(snapshot),
    isBusy: selectIsBusy(snapshot),
    isRecorded: selectIsRecorded(snapshot),
    isUnderWay: selectIsUnderWay(snapshot),
  };
  return Object.entries(all).flatMap(([name, is]) => (is ? [name] : []));
}

const typed = { type: "text.submitted", side: 1, text: "hello" } as const;

test.each<[string, (harness: Harness) => unknown, string[]]>([
  ["idle", () => {}, ["canSpeak", "canType", "canReplay"]],
  ["listening", ({ speak }) => speak(0), ["isBusy", "isRecorded", "isUnderWay"]],
  ["translating", ({ actor }) => actor.send(typed), ["isUnderWay"]],
  [
    "speaking",
    ({ actor }) => actor.send({ type: "translation.playRequested", turnId: "t1" }),
    ["canSpeak", "canType", "canReplay", "isBusy"],
  ],
  [
    "replaying",
    ({ actor }) => actor.send({ type: "replay.requested", turnId: "t1" }),
    ["canSpeak", "canType", "canReplay", "isBusy"],
  ],
  ["limited", ({ usage }) => usage(true), ["canType", "canReplay"]],
  [
    "failed",
    ({ speak, fail }) => {
      speak(0);
      fail("network");
    },
    ["canSpeak", "canType", "canReplay", "canRetry"],
  ],
  [
    "nothingHeard",
    ({ speak, phase }) => {
      speak(0);
      phase("finishing", "nothingHeard");
    },
    ["canSpeak", "canType", "canReplay"],
  ],
])("the translator allows only useful actions while it is %s", (status, reach, expected) => {
  const harness = setUp();
  reach(harness);
  expect([harness.status(), seen(harness)]).toEqual([status, expected]);
});

test("forbids speaking at the limit while something plays to its end", () => {
  const { actor, usage, get, status } = setUp();
  actor.send({ type: "replay.requested", turnId: "t1" });
  usage(true);
  expect([status(), selectCanSpeak(get()), selectPlayedTurn(get())]).toEqual(["replaying", false, "t1"]);
  actor.send({ type: "speak.requested", side: 0 });
  expect([status(), selectPlayedTurn(get())]).toEqual(["limited", null]);
});

describe("typed text in the translator", () => {
  test("the typed text in the translator is kept after a failure until the next text", async () => {
    const { actor, compose, get, aloud, environment } = setUp();
    environment.speaks = true;
    actor.send(typed);
    expect([compose.last().input, selectTypedText(get())]).toEqual([{ side: 1, text: "hello" }, "hello"]);
    await compose.last().reject("network");
    expect([selectTypedText(get()), selectTurnFailure(get())]).toEqual(["hello", "network"]);
    actor.send({ ...typed, text: "bye" });
    expect([selectTurnFailure(get()), compose.last().input]).toEqual([null, { side: 1, text: "bye" }]);
    await compose.last().resolve({ isSpoken: true });
    expect([selectTypedText(get()), aloud.last().input]).toEqual([null, { turnId: null }]);
  });

  test("the typed text in the translator is read aloud only if wanted and the page is still open", async () => {
    for (const [isSpoken, leaves] of [
      [false, false],
      [true, true],
    ]) {
      const { actor, compose, aloud, status } = setUp();
      actor.send(typed);
      if (leaves) actor.send({ type: "page.left" });
      await compose.last().resolve({ isSpoken: isSpoken === true });
      expect([status(), aloud.asked.length]).toEqual(["idle", 0]);
    }
  });

  test("the typed text in the translator is forgotten with the next spoken turn, which is then retried instead", async () => {
    const { actor, compose, get, speak, fail, commands } = setUp();
    actor.send(typed);
    await compose.last().reject("network");
    speak(0);
    fail("busy");
    actor.send({ type: "retry.requested" });
    expect([selectTypedText(get()), compose.asked.length, commands.at(-1)]).toEqual([null, 1, { type: "retry.requested" }]);
  });
});

test("keeps a voice failure until the next turn, text or voice", async () => {
  for (const event of [
    { type: "speak.requested", side: 0 },
    typed,
    { type: "translation.playRequested", turnId: "t2" },
    { type: "replay.requested", turnId: "t2" },
  ] as const) {
    const { actor, aloud, get } = setUp();
    actor.send({ type: "translation.playRequested", turnId: "t1" });
    await aloud.last().reject("noVoice");
    expect(selectVoiceFailure(get())).toBe("noVoice");
    actor.send(event);
    expect(selectVoiceFailure(get())).toBeNull();
  }
});

test("reads the latest text of a conversation aloud without an id", () => {
  const { actor, speak, phase, aloud } = setUp();
  actor.send({ type: "translation.playRequested", turnId: "t1" });
  speak(0);
  phase("finishing", "saving", "saved");
  expect(aloud.inputs()).toEqual([{ turnId: "t1" }, { turnId: null }]);
});
