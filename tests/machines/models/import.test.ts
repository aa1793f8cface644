import { expect, it } from "vitest";
import { createActor } from "xstate";
import type { ModelImport } from "#contract/index.ts";
import {
  type ModelImportEvent,
  modelImportMachine,
  selectImportError,
  selectImportFile,
  selectIsImporting,
} from "#machines/models/import.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";
import { installation } from "./harness.ts";

function setUp() {
  const sendFile = answering<ModelImport>();
  const holdPage = talking<ModelImportEvent, ModelImportEvent>();
  const machine = modelImportMachine.provide({ actors: { sendFile: sendFile.logic, holdPage: holdPage.logic } });
  const actor = stopsAfterTest(createActor(machine).start());
  const arrived: string[] = [];
  actor.on("import.arrived", ({ id }) => arrived.push(id));
  const file = { name: "model.tar.bz2", size: 5 };
  const choose = () => actor.send({ type: "file.chosen", file });
  const get = <Value>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => Value) => select(actor.getSnapshot());
  return { actor, sendFile, holdPage, arrived, file, choose, get };
}

it("uploads a model file, holds the page meanwhile, and reports the model", async () => {
  const { sendFile, holdPage, arrived, file, choose, get } = setUp();
  choose();
  expect([get(selectIsImporting), get(selectImportFile), holdPage.isRunning()]).toEqual([true, file, true]);
  await sendFile.last().resolve({ id: "model", installation: installation() });
  expect([arrived, get(selectImportFile), holdPage.isRunning()]).toEqual([["model"], null, false]);
});

it("keeps a file that could not be uploaded for another try", async () => {
  const { actor, sendFile, choose, get, file } = setUp();
  choose();
  await sendFile.last().reject("storageFull");
  expect([get(selectImportError), get(selectImportFile), get(selectIsImporting)]).toEqual(["storageFull", file, false]);
  actor.send({ type: "retry.requested" });
  expect([get(selectImportError), get(selectIsImporting)]).toEqual([null, true]);
  await sendFile.last().reject("network");
  actor.send({ type: "cancel.requested" });
  expect([get(selectImportError), get(selectImportFile)]).toEqual([null, null]);
});

it("aborts the upload of a model on request", () => {
  const { actor, sendFile, choose, get } = setUp();
  choose();
  actor.send({ type: "cancel.requested" });
  expect([sendFile.last().signal.aborted, get(selectImportFile)]).toEqual([true, null]);
});
