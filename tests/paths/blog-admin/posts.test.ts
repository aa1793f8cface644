import { createActor } from "xstate";
import type { BlogList, BulkKind, PostsQuery } from "#contract/index.ts";
import {
  postsAdminMachine,
  selectIsConfirming,
  selectIsLoading,
  selectIsWorking,
  selectOutcome,
} from "#machines/blog-admin/posts.ts";
import { summary } from "#tests/machines/blog-admin/posts.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const query: PostsQuery = { page: 1, search: "", status: "all", topic: "", language: "", generated: "all" };
const posts = [summary("1"), summary("2")];
const list: BlogList = { posts, total: 2, page: 1, totalPages: 1, facets: undefined };

function prepare(stubs: Stubs) {
  const load = stubs.asking<BlogList, PostsQuery>();
  const act = stubs.asking<readonly string[], { action: BulkKind; ids: readonly string[] }>();
  const machine = postsAdminMachine.provide({ actors: { load: load.logic, act: act.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { query } });
    let done = 0;
    actor.on("action.done", () => {
      done += 1;
    });
    return { actor, load, act, done: () => done };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const context = (harness: Harness) => snapshot(harness).context;
const many = Array.from({ length: 11 }, (_, index) => summary(String(index + 1)));
const ids = (all: readonly { id: string }[]) => all.map(({ id }) => id).join();

walkTests<Harness>({
  machine: postsAdminMachine,
  prepare,
  moves: [
    sent({ type: "query.changed", query: { ...query, page: 2 } }),
    sent({ type: "refresh.requested" }),
    sent({ type: "selection.toggled", post: summary("1") }),
    sent({ type: "page.selected", on: true }, "all on the page"),
    sent({ type: "page.selected", on: false }, "none on the page"),
    sent({ type: "selection.cleared" }),
    sent({ type: "action.requested", action: "publish", posts: many }, "several are published"),
    sent({ type: "action.requested", action: "delete", posts }, "some are to be deleted"),
    sent({ type: "action.requested", action: "delete", posts: [] }, "none are to be deleted"),
    sent({ type: "action.confirmed" }),
    sent({ type: "action.dismissed" }),
    sent({ type: "outcome.dismissed" }),
    sent({ type: "outcome.retried" }),
    answered(
      "the list comes",
      ({ load }: Harness) => load,
      () => list,
    ),
    answered(
      "the page is not there any more",
      ({ load }: Harness) => load,
      () => ({ ...list, posts: [] }),
    ),
    refused("the list does not come", ({ load }: Harness) => load, failure("network")),
    answered(
      "it is done",
      ({ act }: Harness) => act,
      (_, input) => input?.ids ?? [],
    ),
    answered(
      "one was not there any more",
      ({ act }: Harness) => act,
      (_, input) => input?.ids.slice(1) ?? [],
    ),
    refused("it is not done", ({ act }: Harness) => act, failure("internal")),
  ],
  situation: (harness) => {
    const { query: asked, waiting, outcome, action } = context(harness);
    const came = outcome && [outcome.done.length > 0, outcome.missing.length > 0, outcome.failed.length > 0];
    return [asked.page, waiting.length, came, action];
  },
  rules: {
    "one question of each kind at a time": ({ load, act }) => load.open().length <= 1 && act.open().length <= 1,
    "the list is for what the address says": (harness) =>
      !selectIsLoading(snapshot(harness)) ||
      harness.load.open().every(({ input }) => input?.page === context(harness).query.page),
    "nothing is deleted without being asked once more": (harness) =>
      harness.act.open().every(({ input }) => input?.action !== "delete" || !selectIsConfirming(snapshot(harness))),
    "at most ten at once": (harness) => harness.act.open().every(({ input }) => (input?.ids.length ?? 0) <= 10),
    "each is done, missing, failed or waiting, once": (harness) => {
      const outcome = selectOutcome(snapshot(harness));
      if (outcome === null) return true;
      const all = [...outcome.done, ...outcome.missing, ...outcome.failed, ...context(harness).waiting];
      return new Set(all.map(({ id }) => id)).size === all.length;
    },
    "what failed has a reason": (harness) => {
      const outcome = selectOutcome(snapshot(harness));
      return outcome === null || outcome.failed.length > 0 === (outcome.code !== null);
    },
    "what is being done is not selected any more once it is done": (harness) =>
      selectIsWorking(snapshot(harness)) ||
      !context(harness).outcome ||
      ids(context(harness).waiting) === "" ||
      selectIsConfirming(snapshot(harness)),
  },
});
