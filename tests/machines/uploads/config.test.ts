import { expect, it } from "vitest";
import { createActor } from "xstate";
import {
  type LookCommand,
  type StartCommand,
  selectFiles,
  selectLacksFiles,
  selectOptions,
  type UploadConfigEvent,
  uploadConfigMachine,
} from "#machines/uploads/config.ts";
import type { UploadFile } from "#machines/uploads/events.ts";
import { stopsAfterTest, talking } from "#tests/machines/harness.ts";
import { options } from "./harness.ts";

const [market, talk] = [
  { id: "a", name: "market.wav", size: 72_000 },
  { id: "b", name: "talk.wav", size: 1_500_000 },
] as const;
const languages = [
  { code: "en", available: true, live: true, speakers: true },
  { code: "de-DE", available: true, live: true },
] as const;
const details = { title: " A talk ", vocabulary: " zebra ", speakers: true, speakerCount: 2 };

function setUp({ diarizes = true } = {}) {
  const uploads = talking<UploadConfigEvent, StartCommand>();
  const tracks = talking<UploadConfigEvent, LookCommand, readonly UploadFile[]>();
  const done: unknown[] = [];
  const machine = uploadConfigMachine.provide({
    actors: { uploads: uploads.logic, tracks: tracks.logic },
    actions: {
      rememberLanguages: (_, languages) => void done.push(languages),
      rememberDetails: (_, { title }) => void done.push(title),
      dropFile: (_, { id }) => void done.push(`drop ${id}`),
      openTranscription: (_, { transcriptionId }) => void done.push(`open ${transcriptionId}`),
    },
  });
  const input = { speech: { languages: [...languages], diarizes }, files: [], options };
  const actor = stopsAfterTest(createActor(machine, { input })).start();
  return { actor, get: () => actor.getSnapshot(), uploads, tracks, done };
}

it("the upload form requires a file", () => {
  const { actor, get, uploads } = setUp();
  expect(selectLacksFiles(get())).toBe(false);
  actor.send({ type: "start.requested" });
  expect([selectLacksFiles(get()), uploads.heard]).toEqual([true, []]);
  actor.send({ type: "files.chosen", files: [market] });
  expect(selectLacksFiles(get())).toBe(false);
  actor.send({ type: "file.removed", id: "a" });
  expect(selectLacksFiles(get())).toBe(true);
});

it("starts each file once, and keeps the options except the title", () => {
  const { actor, get, uploads, done } = setUp();
  actor.send({ type: "details.changed", details });
  actor.send({ type: "files.chosen", files: [market] });
  actor.send({ type: "files.chosen", files: [talk, market] });
  expect(selectFiles(get())).toEqual([market, talk]);
  actor.send({ type: "file.removed", id: "b" });
  actor.send({ type: "start.requested" });
  const wanted = { ...options, ...details, title: "A talk", vocabulary: "zebra" };
  expect(uploads.heard).toEqual([{ type: "files.started", files: [{ id: "a" }], options: wanted }]);
  expect([selectFiles(get()), selectOptions(get()), selectLacksFiles(get())]).toEqual([
    [],
    { ...options, ...details, title: "" },
    false,
  ]);
  expect(done).toEqual([" A talk ", "drop b", ""]);
});

it("sends no title for several files, and no speaker count that the engine can't use", () => {
  const { actor, uploads, done } = setUp({ diarizes: false });
  actor.send({ type: "details.changed", details });
  actor.send({ type: "languages.changed", languages: { sourceLanguage: "de-DE", targetLanguage: "en" } });
  actor.send({ type: "files.chosen", files: [market, talk] });
  actor.send({ type: "start.requested" });
  const { options: sent } = uploads.heard[0] ?? expect.fail("nothing was started");
  expect(sent).toEqual({ sourceLanguage: "de-DE", targetLanguage: "en", title: "", vocabulary: "zebra", speakers: false });
  expect(done).toContainEqual({ sourceLanguage: "de-DE", targetLanguage: "en" });
});

it("starts a file with the chosen sound track once its tracks are known", () => {
  const { actor, get, uploads, tracks } = setUp();
  actor.send({ type: "files.chosen", files: [talk, market] });
  expect(tracks.heard).toEqual([{ type: "files.chosen", files: [talk, market] }]);
  const found = [
    { language: "eng", title: null, isDefault: true },
    { language: "ger", title: null, isDefault: false },
  ];
  tracks.say({ type: "tracks.found", id: "b", tracks: found });
  tracks.say({ type: "tracks.found", id: "c", tracks: found });
  expect(selectFiles(get())).toEqual([{ ...talk, tracks: found }, market]);
  actor.send({ type: "track.chosen", id: "b", track: 1 });
  actor.send({ type: "track.chosen", id: "b", track: 2 });
  actor.send({ type: "files.chosen", files: [talk] });
  expect(selectFiles(get())).toEqual([{ ...talk, tracks: found, track: 2 }, market]);
  actor.send({ type: "start.requested" });
  expect(uploads.heard).toMatchObject([{ files: [{ id: "b", track: 2 }, { id: "a" }] }]);
});

it("starts a file with its default track while its tracks are unknown", () => {
  const { actor, uploads } = setUp();
  actor.send({ type: "files.chosen", files: [market, talk] });
  actor.send({ type: "start.requested" });
  expect(uploads.heard[0]?.files).toEqual([{ id: "a" }, { id: "b" }]);
});

it("opens the transcription of a single file once the server has it", () => {
  const { actor, uploads, done } = setUp();
  actor.send({ type: "files.chosen", files: [market] });
  actor.send({ type: "start.requested" });
  uploads.say({ type: "upload.received", transcriptionId: "t1" });
  expect(done).toContain("open t1");
});
