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
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const persisted = { at: 5, revision: 0, values: { ...written, content: "Kept." } };

function prepare(stubs: Stubs) {
  const load = stubs.asking<AdminBlogPost, { id: string }>();
  const save = stubs.asking<AdminBlogPost, Sending>();
  const remove = stubs.asking<void, { id: string }>();
  const wakeUps = stubs.callback<PostEditorEvent>();
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
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const context = (harness: Harness) => snapshot(harness).context;

/** The server's version after a save. */
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

walkTests<Harness>({
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
    said({ type: "page.resumed" }, ({ wakeUps }: Harness) => wakeUps),
    untilNextTimer,
    answered(
      "it is there",
      ({ load }: Harness) => load,
      () => post(),
    ),
    refused("it is gone", ({ load }: Harness) => load, failure("notFound")),
    refused("it does not come", ({ load }: Harness) => load, failure("network")),
    answered(
      "it is saved",
      ({ save }: Harness) => save,
      (_, input) => savedAs(input),
    ),
    refused("somebody was faster", ({ save }: Harness) => save, answer(409, "conflict")),
    refused("somebody has deleted it", ({ save }: Harness) => save, answer(404, "notFound")),
    refused("the server does not take it", ({ save }: Harness) => save, answer(409, "slugTaken")),
    refused("there is no answer", ({ save }: Harness) => save, answer(0, "network")),
    answered(
      "it is deleted",
      ({ remove }: Harness) => remove,
      () => undefined,
    ),
    refused("it was deleted already", ({ remove }: Harness) => remove, failure("notFound")),
    refused("it is not deleted", ({ remove }: Harness) => remove, failure("network")),
  ],
  situation: (harness) => {
    const { id, values, status, wanted, sending, theirs, saveError } = context(harness);
    const dirty = selectIsDirty(snapshot(harness));
    return [id === null, values.title === "", dirty, status, wanted, sending?.asked, theirs === null, saveError === null];
  },
  rules: {
    "one save at a time": ({ save }) => save.open().length <= 1,
    "nothing is saved while it is decided whose text is kept": (harness) =>
      !selectIsConflict(snapshot(harness)) || harness.save.open().length === 0,
    "what is published changes only when somebody says so": (harness) =>
      harness.save.open().every(({ input }) => input?.asked === true || context(harness).status === "draft"),
    "nothing without a title is saved": (harness) => harness.save.open().every(({ input }) => input?.values.title.trim() !== ""),
    "a save says which revision was changed": (harness) =>
      harness.save.open().every(({ input }) => input !== null && (input?.id === null) === (input?.revision === 0)),
    "what is not saved is known": (harness) =>
      selectSaveState(snapshot(harness)) !== "saved" || !selectHasUnsaved(snapshot(harness)),
    "nothing is deleted without being asked once more": (harness) =>
      harness.remove.open().length === 0 || snapshot(harness).matches({ open: { removal: "removing" } }),
    "only what was deleted is closed": (harness) => !snapshot(harness).matches("removed") || context(harness).id !== null,
    "what was deleted is emitted once": ({ emitted }) => emitted.filter((type) => type === "post.removed").length <= 1,
  },
});
