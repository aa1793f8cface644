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

/** What can be seen of the translator, by name. */
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
])("while it is %s, only that can be done which is of use", (status, reach, expected) => {
  const harness = setUp();
  reach(harness);
  expect([harness.status(), seen(harness)]).toEqual([status, expected]);
});

test("who has used up the minutes while something is played can't speak, but is heard to its end", () => {
  const { actor, usage, get, status } = setUp();
  actor.send({ type: "replay.requested", turnId: "t1" });
  usage(true);
  expect([status(), selectCanSpeak(get()), selectPlayedTurn(get())]).toEqual(["replaying", false, "t1"]);
  actor.send({ type: "speak.requested", side: 0 });
  expect([status(), selectPlayedTurn(get())]).toEqual(["limited", null]);
});

describe("typed text", () => {
  test("is known until it is kept, also after a failure, which is forgotten with the next text", async () => {
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

  test("is spoken only where that is wanted, and where somebody is still there", async () => {
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

  test("that failed is forgotten with a turn that is spoken: what is tried again then is the turn", async () => {
    const { actor, compose, get, speak, fail, commands } = setUp();
    actor.send(typed);
    await compose.last().reject("network");
    speak(0);
    fail("busy");
    actor.send({ type: "retry.requested" });
    expect([selectTypedText(get()), compose.asked.length, commands.at(-1)]).toEqual([null, 1, { type: "retry.requested" }]);
  });
});

test("a voice that failed is said until a turn, a text or another voice is wanted", async () => {
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

test("what was spoken last is spoken without its id, whatever was played before", () => {
  const { actor, speak, phase, aloud } = setUp();
  actor.send({ type: "translation.playRequested", turnId: "t1" });
  speak(0);
  phase("finishing", "saving", "saved");
  expect(aloud.inputs()).toEqual([{ turnId: "t1" }, { turnId: null }]);
});
