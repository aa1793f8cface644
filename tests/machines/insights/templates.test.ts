import { expect, test } from "vitest";
import { createActor } from "xstate";
import type { Template } from "#contract/index.ts";
import {
  selectFailure,
  selectIsSaving,
  selectIsUnloaded,
  selectTemplates,
  type TemplateChange,
  templatesMachine,
} from "#machines/insights/templates.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

const mine: Template = { id: "m", name: "Mine", prompt: "Why?" };
const draft = { name: "New", prompt: "Who?" };

function setUp() {
  const load = answering<readonly Template[]>();
  const save = answering<readonly Template[], TemplateChange>();
  const machine = templatesMachine.provide({ actors: { load: load.logic, save: save.logic } });
  const actor = stopsAfterTest(createActor(machine));
  let saved = 0;
  actor.on("change.saved", () => {
    saved += 1;
  });
  actor.start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  return { load, save, send: actor.send.bind(actor), get, saved: () => saved };
}

test("templates are loaded, again after a failure", async () => {
  const { load, send, get } = setUp();
  await load.last().reject("network");
  expect([get(selectIsUnloaded), get(selectFailure)]).toEqual([true, "network"]);
  send({ type: "reload.requested" });
  await load.last().resolve([mine]);
  expect([get(selectIsUnloaded), get(selectFailure), get(selectTemplates)]).toEqual([false, null, [mine]]);
});

test("one is added, changed and deleted, one call at a time; a failure is said and leaves them as they are", async () => {
  const { load, save, send, get, saved } = setUp();
  await load.last().resolve([mine]);
  send({ type: "template.saved", id: null, draft });
  send({ type: "template.removed", id: "m" });
  expect([get(selectIsSaving), save.inputs()]).toEqual([true, [{ id: null, draft }]]);
  await save.last().reject("network");
  expect([get(selectFailure), get(selectTemplates), saved()]).toEqual(["network", [mine], 0]);
  send({ type: "template.saved", id: "m", draft });
  expect(get(selectFailure)).toBeNull();
  await save.last().resolve([{ id: "m", ...draft }]);
  expect([get(selectTemplates), saved()]).toEqual([[{ id: "m", ...draft }], 1]);
  send({ type: "template.removed", id: "m" });
  expect(save.last().input).toEqual({ id: "m", draft: null });
  await save.last().resolve([]);
  expect(get(selectTemplates)).toEqual([]);
});
