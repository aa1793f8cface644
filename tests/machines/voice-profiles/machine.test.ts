import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { SpeakerSuggestion, VoiceProfilesAnswer } from "#contract/index.ts";
import { type LoadingEvent, selectFailure, selectHasFailed, selectIsLoading } from "#machines/collection/loading.ts";
import type { SuggestionsEmitted, VoiceProfileChange, VoiceProfilesEmitted } from "#machines/voice-profiles/events.ts";
import {
  selectAsked,
  selectChanges,
  selectChanging,
  selectIsAvailable,
  selectIsEnabled,
  selectIsUseless,
  selectProfiles,
  voiceProfilesMachine,
} from "#machines/voice-profiles/machine.ts";
import { selectSuggestions, suggestionsMachine } from "#machines/voice-profiles/suggestions.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

const at = "2026-03-01T12:00:00.000Z";
const profile = (name: string) => ({ id: name, name, recordings: 1, createdAt: at, heardAt: at, current: true });
const on = (...names: string[]): VoiceProfilesAnswer => ({ enabled: true, available: true, profiles: names.map(profile) });
const off: VoiceProfilesAnswer = { enabled: false, available: true, profiles: [] };

function start() {
  const load = answering<VoiceProfilesAnswer>();
  const perform = answering<VoiceProfilesAnswer, VoiceProfileChange>();
  const wakeUps = talking<LoadingEvent>();
  const machine = voiceProfilesMachine.provide({
    actors: { load: load.logic, perform: perform.logic, wakeUps: wakeUps.logic },
  });
  const actor = stopsAfterTest(createActor(machine));
  const emitted: VoiceProfilesEmitted[] = [];
  actor.on("change.done", (event) => emitted.push(event));
  actor.start();
  const want = (change: VoiceProfileChange) => actor.send({ type: "change.requested", change });
  return { actor, load, perform, wakeUps, emitted, want, now: () => actor.getSnapshot() };
}

async function opened(known: VoiceProfilesAnswer) {
  const all = start();
  await all.load.last().resolve(known);
  return all;
}

describe("voice profiles", () => {
  test("voice profiles switch on at once, and off only after confirmation", async () => {
    const { actor, want, perform, now, emitted } = await opened(off);
    expect(selectIsEnabled(now())).toBe(false);
    want({ kind: "switchOn" });
    expect(selectChanging(now())).toEqual({ kind: "switchOn" });
    await perform.last().resolve(on());
    expect([selectIsEnabled(now()), emitted]).toEqual([true, [{ type: "change.done", change: { kind: "switchOn" } }]]);
    want({ kind: "switchOff" });
    expect([selectAsked(now()), perform.asked.length]).toEqual([{ kind: "switchOff" }, 1]);
    actor.send({ type: "change.dismissed" });
    expect([selectAsked(now()), perform.asked.length]).toEqual([null, 1]);
    want({ kind: "switchOff" });
    actor.send({ type: "change.confirmed" });
    await perform.last().resolve(off);
    expect(selectIsEnabled(now())).toBe(false);
  });

  test("voice profiles are renamed without a question, and report a name in use until the next try", async () => {
    const { want, perform, now } = await opened(on("Anna", "Ben"));
    want({ kind: "rename", id: "Anna", name: "Ben" });
    await perform.last().reject("conflict");
    expect([selectFailure(now()), selectProfiles(now()).map(({ name }) => name)]).toEqual(["conflict", ["Anna", "Ben"]]);
    want({ kind: "rename", id: "Anna", name: "Hanna" });
    expect(selectFailure(now())).toBeNull();
    await perform.last().resolve(on("Ben", "Hanna"));
    expect(selectProfiles(now()).map(({ name }) => name)).toEqual(["Ben", "Hanna"]);
  });

  test("voice profiles notice profiles that were deleted in another tab", async () => {
    const { actor, want, perform, load, now } = await opened(on("Anna", "Ben"));
    want({ kind: "remove", id: "Anna" });
    actor.send({ type: "change.confirmed" });
    await perform.last().reject("notFound");
    expect(selectFailure(now())).toBe("notFound");
    await load.last().resolve(on("Ben"));
    expect(selectProfiles(now()).map(({ name }) => name)).toEqual(["Ben"]);
  });

  test("voice profiles are reloaded when the page is seen, and stay when that fails", async () => {
    const { wakeUps, load, want, perform, now } = await opened(on("Anna"));
    wakeUps.say({ type: "page.resumed" });
    expect(load.asked).toHaveLength(2);
    await load.last().reject("network");
    expect(selectProfiles(now())).toHaveLength(1);
    wakeUps.say({ type: "page.resumed" });
    // A change does not wait for that, and its answer is the newer one.
    want({ kind: "rename", id: "Anna", name: "Hanna" });
    expect(load.last().signal.aborted).toBe(true);
    await perform.last().resolve(on("Hanna"));
    expect(selectProfiles(now()).map(({ name }) => name)).toEqual(["Hanna"]);
  });

  test("voice profiles are hidden if the server has none, and load when the network is back", async () => {
    const without = start();
    await without.load.last().reject("notOffered");
    expect(selectIsUseless(without.now())).toBe(true);
    const later = start();
    await later.load.last().reject("network");
    expect(selectHasFailed(later.now())).toBe(true);
    later.wakeUps.say({ type: "page.resumed" });
    await later.load.last().resolve(off);
    expect(selectIsEnabled(later.now())).toBe(false);
  });
});

const anna: SpeakerSuggestion = { speaker: "1", profile: "a", name: "Anna" };
const ben: SpeakerSuggestion = { speaker: "2", profile: "b", name: "Ben" };

function transcript() {
  const load = answering<readonly SpeakerSuggestion[], { id: string }>();
  const decline = answering<readonly SpeakerSuggestion[], { id: string; suggestion: SpeakerSuggestion }>();
  const machine = suggestionsMachine.provide({ actors: { load: load.logic, decline: decline.logic } });
  const actor = stopsAfterTest(createActor(machine, { input: { id: "t" } }));
  const emitted: SuggestionsEmitted[] = [];
  actor.on("*", (event) => emitted.push(event));
  actor.start();
  const speak = (speakers: readonly string[], diarizing = false) => actor.send({ type: "speakers.changed", speakers, diarizing });
  return { actor, load, decline, emitted, speak, shown: () => selectSuggestions(actor.getSnapshot()) };
}

describe("name suggestions for speakers", () => {
  test("name suggestions for speakers are loaded for unnamed speakers once these are known", async () => {
    const { speak, load, shown } = transcript();
    speak([]);
    speak(["Anna"]);
    speak(["1", "2"], true);
    expect(load.asked).toHaveLength(0);
    speak(["1", "2"]);
    expect(load.inputs()).toEqual([{ id: "t" }]);
    await load.last().resolve([anna]);
    expect(shown()).toEqual([anna]);
    speak(["Anna", "Ben"]);
    expect([shown(), load.asked.length]).toEqual([[], 1]);
  });

  test("name suggestions for speakers become an edit of the transcript when accepted", async () => {
    const { actor, speak, load, emitted, decline } = transcript();
    speak(["1", "2"]);
    await load.last().resolve([anna]);
    actor.send({ type: "suggestion.accepted", suggestion: anna });
    expect(emitted).toEqual([{ type: "naming.requested", speaker: "1", name: "Anna" }]);
    expect([load.asked.length, decline.asked.length]).toEqual([1, 0]);
  });

  test("name suggestions for speakers disappear when declined, one after another, and return when that fails", async () => {
    const { actor, speak, load, decline, shown, emitted } = transcript();
    speak(["1", "2"]);
    await load.last().resolve([anna, ben]);
    actor.send({ type: "suggestion.declined", suggestion: anna });
    actor.send({ type: "suggestion.declined", suggestion: ben });
    expect(shown()).toEqual([]);
    expect(decline.inputs()).toEqual([{ id: "t", suggestion: anna }]);
    await decline.last().resolve([ben]);
    expect(shown()).toEqual([]);
    expect(decline.inputs()).toEqual([
      { id: "t", suggestion: anna },
      { id: "t", suggestion: ben },
    ]);
    await decline.last().reject("network");
    expect(emitted).toEqual([{ type: "decline.failed", code: "network" }]);
    await load.last().resolve([ben]);
    expect(shown()).toEqual([ben]);
  });

  test("name suggestions for speakers are requested once from a server without them", async () => {
    const { speak, load, shown } = transcript();
    speak(["1"]);
    await load.last().reject("notOffered");
    speak(["1", "2"]);
    expect([load.asked.length, shown()]).toEqual([1, []]);
  });
});

test("reads with the profiles whether the server can tell voices apart, and counts changes", async () => {
  expect([selectIsAvailable(start().now()), selectIsEnabled(start().now()), selectIsLoading(start().now())]).toEqual([
    false,
    null,
    true,
  ]);
  expect(selectIsAvailable((await opened({ ...off, available: false })).now())).toBe(false);
  const { want, perform, now } = await opened(off);
  expect([selectIsAvailable(now()), selectIsLoading(now()), selectChanges(now())]).toEqual([true, false, 0]);
  want({ kind: "switchOn" });
  await perform.last().reject("network");
  want({ kind: "switchOn" });
  await perform.last().resolve(on());
  want({ kind: "rename", id: "a", name: "b" });
  await perform.last().resolve(on("b"));
  expect([selectChanges(now()), selectChanging(now())]).toEqual([2, null]);
});

test("shows a change of a profile while it is confirmed and made, and reloads after a failure", async () => {
  const { actor, want, perform, load, now } = await opened(on("Anna"));
  expect([selectAsked(now()), selectChanging(now())]).toEqual([null, null]);
  want({ kind: "switchOff" });
  expect([selectAsked(now()), selectChanging(now())]).toEqual([{ kind: "switchOff" }, null]);
  actor.send({ type: "change.confirmed" });
  expect([selectAsked(now()), selectChanging(now())]).toEqual([null, { kind: "switchOff" }]);
  await perform.last().reject("network");
  expect([load.asked.length, selectFailure(now()), selectChanging(now())]).toEqual([2, "network", null]);
  want({ kind: "rename", id: "Anna", name: "Hanna" });
  await perform.last().reject("notFound");
  expect([load.asked.length, selectFailure(now())]).toEqual([3, "notFound"]);
});

test("declines a suggested voice profile by speaker and profile", async () => {
  const { actor, load, decline, speak, shown } = transcript();
  const suggest = (speaker: string, profile: string): SpeakerSuggestion => ({ ...anna, speaker, profile });
  const all = [suggest("1", "a"), suggest("1", "b"), suggest("2", "a")];
  speak(["1", "2"]);
  await load.last().resolve(all);
  actor.send({ type: "suggestion.declined", suggestion: suggest("1", "a") });
  expect([shown(), decline.asked.length]).toEqual([all.slice(1), 1]);
  await decline.last().resolve(all.slice(1));
  expect(shown()).toEqual(all.slice(1));
});
