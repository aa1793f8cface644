import { createActor } from "xstate";
import type { AdminBlogPost } from "#contract/index.ts";
import type { PostEditorEvent } from "#machines/blog-admin/post-editor/events.ts";
import { postEditorMachine } from "#machines/blog-admin/post-editor/machine.ts";
import type { Sending } from "#machines/blog-admin/post-editor/rules.ts";
import {
  selectHasUnsaved,
  selectIsConflict,
  selectIsDirty,
  selectSaveState,
} from "#machines/blog-admin/post-editor/selectors.ts";
import { post, written } from "#tests/machines/blog-admin/posts.ts";
import { answer, answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const persisted = { at: 5, revision: 0, values: { ...written, content: "Kept." } };

function prepare(stage: Stage) {
  const load = stage.asking<AdminBlogPost, { id: string }>();
  const save = stage.asking<AdminBlogPost, Sending>();
  const remove = stage.asking<void, { id: string }>();
  const wakeUps = stage.callback<PostEditorEvent>();
  const machine = postEditorMachine.provide({
    actors: { load: load.logic, save: save.logic, remove: remove.logic, wakeUps: wakeUps.logic },
  });
  return ({ start, clock, inspect }: RunOptions) => {
    const id = start === "a new post" ? null : "p1";
    const actor = createActor(machine, {
      clock,
      inspect,
      input: { id, language: "en", persisted: id === null ? [persisted] : [], now: () => 7 },
    });
    const emitted: string[] = [];
    actor.on("*", ({ type }) => emitted.push(type));
    return { actor, load, save, remove, wakeUps, emitted };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const context = (rig: Rig) => snapshot(rig).context;

/** As the server has it after a save. */
const savedAs = (input: Sending | undefined): AdminBlogPost => {
  const { topics, ...values } = input?.values ?? written;
  const revision = (input?.revision ?? 0) + 1;
  return post({
    ...values,
    topics: [...topics],
    slug: "harbors",
    status: input?.status ?? "draft",
    revision: Math.min(revision, 3),
  });
};

walkTests<Rig>({
  machine: postEditorMachine,
  prepare,
  starts: ["a new post", "one that is there"],
  moves: [
    sent({ type: "values.changed", values: written }, "it is written"),
    sent({ type: "values.changed", values: { title: "" } }, "the title is emptied"),
    sent({ type: "save.requested", status: "draft" }, "it is to be a draft"),
    sent({ type: "save.requested", status: "published" }, "it is to be published"),
    sent({ type: "reload.requested" }),
    sent({ type: "offer.taken", at: 5 }),
    sent({ type: "offer.discarded", at: 5 }),
    sent({ type: "mine.chosen" }),
    sent({ type: "theirs.chosen" }),
    sent({ type: "copy.chosen" }),
    sent({ type: "delete.requested" }),
    sent({ type: "delete.confirmed" }),
    sent({ type: "delete.dismissed" }),
    said({ type: "page.resumed" }, ({ wakeUps }: Rig) => wakeUps),
    untilNextTimer,
    answered(
      "it is there",
      ({ load }: Rig) => load,
      () => post(),
    ),
    refused("it is gone", ({ load }: Rig) => load, failure("notFound")),
    refused("it does not come", ({ load }: Rig) => load, failure("network")),
    answered(
      "it is saved",
      ({ save }: Rig) => save,
      (_, input) => savedAs(input),
    ),
    refused("somebody was faster", ({ save }: Rig) => save, answer(409, "conflict")),
    refused("somebody has deleted it", ({ save }: Rig) => save, answer(404, "notFound")),
    refused("the server does not take it", ({ save }: Rig) => save, answer(409, "slugTaken")),
    refused("there is no answer", ({ save }: Rig) => save, answer(0, "network")),
    answered(
      "it is deleted",
      ({ remove }: Rig) => remove,
      () => undefined,
    ),
    refused("it was deleted already", ({ remove }: Rig) => remove, failure("notFound")),
    refused("it is not deleted", ({ remove }: Rig) => remove, failure("network")),
  ],
  situation: (rig) => {
    const { id, values, status, wanted, sending, theirs, saveError } = context(rig);
    const dirty = selectIsDirty(snapshot(rig));
    return [id === null, values.title === "", dirty, status, wanted, sending?.asked, theirs === null, saveError === null];
  },
  rules: {
    "one save at a time": ({ save }) => save.open().length <= 1,
    "nothing is saved while it is decided whose text is kept": (rig) =>
      !selectIsConflict(snapshot(rig)) || rig.save.open().length === 0,
    "what is published changes only when somebody says so": (rig) =>
      rig.save.open().every(({ input }) => input?.asked === true || context(rig).status === "draft"),
    "nothing without a title is saved": (rig) => rig.save.open().every(({ input }) => input?.values.title.trim() !== ""),
    "a save says which revision was changed": (rig) =>
      rig.save.open().every(({ input }) => input !== null && (input?.id === null) === (input?.revision === 0)),
    "what is not saved is known": (rig) => selectSaveState(snapshot(rig)) !== "saved" || !selectHasUnsaved(snapshot(rig)),
    "nothing is deleted without being asked once more": (rig) =>
      rig.remove.open().length === 0 || snapshot(rig).matches({ open: { removal: "removing" } }),
    "only what was deleted is closed": (rig) => !snapshot(rig).matches("removed") || context(rig).id !== null,
    "what was deleted is emitted once": ({ emitted }) => emitted.filter((type) => type === "post.removed").length <= 1,
  },
});
