import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { RetentionPreview, RetentionRule } from "#contract/index.ts";
import {
  type RetentionDays,
  retentionMachine,
  selectCanRetry,
  selectCanSave,
  selectDays,
  selectFailure,
  selectIsLoading,
  selectIsSaving,
  selectPreview,
} from "#machines/retention/machine.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

const forEver: RetentionDays = { audioDays: null, textDays: null };
const month: RetentionDays = { audioDays: 30, textDays: null };
const nothing: RetentionPreview = { audio: { soon: 0, next: null }, text: { soon: 0, next: null } };
const three: RetentionPreview = { ...nothing, audio: { soon: 3, next: null } };

function start() {
  const load = answering<RetentionDays, { folderId: string | null }>();
  const preview = answering<RetentionPreview, RetentionRule>();
  const save = answering<void, RetentionRule>();
  const machine = retentionMachine.provide({ actors: { load: load.logic, preview: preview.logic, save: save.logic } });
  const actor = stopsAfterTest(createActor(machine, { input: { folderId: "work" } }));
  const saved: RetentionRule[] = [];
  actor.on("rule.saved", ({ rule }) => {
    saved.push(rule);
  });
  actor.start();
  return { actor, load, preview, save, now: () => actor.getSnapshot(), saved };
}

async function chosen() {
  const all = start();
  await all.load.last().resolve(forEver);
  await all.preview.last().resolve(nothing);
  all.actor.send({ type: "days.changed", days: month });
  return all;
}

describe("retention rule of a folder", () => {
  test("loads the rule and saves a choice after its preview", async () => {
    const { actor, load, preview, save, now, saved } = start();
    expect([selectIsLoading(now()), load.last().input]).toEqual([true, { folderId: "work" }]);
    await load.last().resolve(forEver);
    expect(selectDays(now())).toEqual(forEver);
    actor.send({ type: "days.changed", days: month });
    expect(preview.last().input).toEqual({ folderId: "work", ...month });
    actor.send({ type: "save.requested" });
    expect([selectCanSave(now()), save.asked.length]).toEqual([false, 0]);
    await preview.last().resolve(three);
    expect([selectPreview(now()), selectCanSave(now())]).toEqual([three, true]);
    actor.send({ type: "save.requested" });
    expect([selectIsSaving(now()), save.last().input]).toEqual([true, { folderId: "work", ...month }]);
    await save.last().resolve();
    expect([saved, now().status]).toEqual([[{ folderId: "work", ...month }], "done"]);
  });

  test("shows no preview of an earlier retention choice", async () => {
    const { actor, preview, now } = await chosen();
    const before = preview.last();
    actor.send({ type: "days.changed", days: forEver });
    await before.resolve(three);
    expect(selectPreview(now())).toBeNull();
    await preview.last().resolve(nothing);
    expect(selectPreview(now())).toEqual(nothing);
  });

  test("retries a rule that can't be loaded", async () => {
    const { actor, load, now } = start();
    await load.last().reject("network");
    expect([selectFailure(now()), selectCanRetry(now())]).toEqual(["network", true]);
    actor.send({ type: "reload.requested" });
    expect([load.asked.length, selectFailure(now())]).toEqual([2, null]);
  });

  test("does not save a choice without a preview, and keeps the choice", async () => {
    const { actor, preview, save, now } = await chosen();
    await preview.last().reject("network");
    actor.send({ type: "save.requested" });
    expect([selectFailure(now()), selectDays(now()), save.asked.length]).toEqual(["network", month, 0]);
    actor.send({ type: "reload.requested" });
    await preview.last().resolve(three);
    expect(selectCanSave(now())).toBe(true);
  });

  test("keeps a choice that can't be saved, and allows another save", async () => {
    const { actor, preview, save, now, saved } = await chosen();
    await preview.last().resolve(three);
    actor.send({ type: "save.requested" });
    await save.last().reject("notFound");
    expect([selectFailure(now()), selectDays(now()), selectCanSave(now()), saved]).toEqual(["notFound", month, true, []]);
    actor.send({ type: "save.requested" });
    await save.last().resolve();
    expect(saved).toHaveLength(1);
  });
});
