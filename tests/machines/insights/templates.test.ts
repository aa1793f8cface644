import { expect, test } from "vitest";
import { createActor } from "xstate";
import type { Template, TemplatesAnswer } from "#contract/index.ts";
import {
  selectDefault,
  selectDefaultFailure,
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
const all = (...templates: Template[]): TemplatesAnswer => ({ templates, defaults: [] });

function setUp() {
  const load = answering<TemplatesAnswer>();
  const save = answering<TemplatesAnswer, TemplateChange>();
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

test("loads the templates for summaries, and again after a failure", async () => {
  const { load, send, get } = setUp();
  await load.last().reject("network");
  expect([get(selectIsUnloaded), get(selectFailure)]).toEqual([true, "network"]);
  send({ type: "reload.requested" });
  await load.last().resolve(all(mine));
  expect([get(selectIsUnloaded), get(selectFailure), get(selectTemplates)]).toEqual([false, null, [mine]]);
});

test("adds, changes and deletes templates one call at a time, and keeps them after a failure", async () => {
  const { load, save, send, get, saved } = setUp();
  await load.last().resolve(all(mine));
  send({ type: "template.saved", id: null, draft });
  send({ type: "template.removed", id: "m" });
  expect([get(selectIsSaving), save.inputs()]).toEqual([true, [{ type: "template", id: null, draft }]]);
  await save.last().reject("network");
  expect([get(selectFailure), get(selectTemplates), saved()]).toEqual(["network", [mine], 0]);
  send({ type: "template.saved", id: "m", draft });
  expect(get(selectFailure)).toBeNull();
  await save.last().resolve(all({ id: "m", ...draft }));
  expect([get(selectTemplates), saved()]).toEqual([[{ id: "m", ...draft }], 1]);
  send({ type: "template.removed", id: "m" });
  expect(save.last().input).toEqual({ type: "template", id: "m", draft: null });
  await save.last().resolve(all());
  expect(get(selectTemplates)).toEqual([]);
});

test("sets and resets a folder's template, and shows its failure separately from the templates'", async () => {
  const { load, save, send, get } = setUp();
  await load.last().resolve({ templates: [mine], defaults: [{ folderId: "team", template: "memo" }] });
  expect([
    get((s) => selectDefault(s, "team")),
    get((s) => selectDefault(s, "talks")),
    get((s) => selectDefault(s, null)),
  ]).toEqual(["memo", null, null]);
  send({ type: "default.chosen", folderId: "talks", template: "m" });
  expect(save.last().input).toEqual({ type: "default", folderId: "talks", template: "m" });
  expect(get((s) => selectDefault(s, "talks"))).toBe("m");
  await save.last().reject("network");
  expect([get(selectDefaultFailure), get(selectFailure), get((s) => selectDefault(s, "talks"))]).toEqual(["network", null, null]);
  send({ type: "default.chosen", folderId: "team", template: null });
  expect(get(selectDefaultFailure)).toBeNull();
  await save.last().resolve(all(mine));
  expect(get((s) => selectDefault(s, "team"))).toBeNull();
});
