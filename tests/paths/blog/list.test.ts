import { createActor } from "xstate";
import type { BlogList, BlogQuery, BlogSummary } from "#contract/index.ts";
import {
  blogListMachine,
  selectIsLoadingPosts,
  selectList,
  selectPopularFailed,
  selectPostsFailure,
  selectQuery,
} from "#machines/blog/list.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const query: BlogQuery = { page: 1, topics: [], language: "", generated: null };
const other: BlogQuery = { ...query, topics: ["tea"] };
/** The page's number stands for what was asked for. */
const listOf = (asked: BlogQuery | undefined): BlogList => ({
  posts: [],
  total: asked === other ? 1 : 2,
  page: 1,
  totalPages: 1,
  facets: undefined,
});

function prepare(stage: Stage) {
  const fetchPosts = stage.asking<BlogList, BlogQuery>();
  const fetchPopular = stage.asking<readonly BlogSummary[]>();
  const machine = blogListMachine.provide({ actors: { fetchPosts: fetchPosts.logic, fetchPopular: fetchPopular.logic } });
  return ({ clock, inspect }: RunOptions) => ({
    actor: createActor(machine, { clock, inspect, input: { query } }),
    fetchPosts,
    fetchPopular,
  });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();

walkTests<Rig>({
  machine: blogListMachine,
  prepare,
  moves: [
    sent({ type: "query.changed", query: other }, "other filters"),
    sent({ type: "query.changed", query }, "no filters"),
    sent({ type: "list.entered", query }, "one comes back to it"),
    sent({ type: "retry.requested" }),
    answered(
      "the posts come",
      ({ fetchPosts }: Rig) => fetchPosts,
      (_, asked) => listOf(asked),
    ),
    refused("the posts don't come", ({ fetchPosts }: Rig) => fetchPosts, failure("network")),
    answered(
      "the popular ones come",
      ({ fetchPopular }: Rig) => fetchPopular,
      () => [],
    ),
    refused("the popular ones don't come", ({ fetchPopular }: Rig) => fetchPopular, failure("internal")),
  ],
  situation: (rig) => [selectQuery(snapshot(rig)) === other, selectList(snapshot(rig))?.total],
  rules: {
    "one list at a time, of the filters that are wanted": (rig) =>
      rig.fetchPosts.open().length <= 1 && rig.fetchPosts.open().every(({ input }) => input === selectQuery(snapshot(rig))),
    "a list that is no more on its way is the one that is wanted": (rig) =>
      selectIsLoadingPosts(snapshot(rig)) ||
      selectList(snapshot(rig)) === null ||
      selectList(snapshot(rig))?.total === listOf(selectQuery(snapshot(rig))).total,
    "a failure leaves no list that is not what is wanted": (rig) =>
      selectPostsFailure(snapshot(rig)) === null || selectList(snapshot(rig)) === null,
    "the popular posts are asked for once, and again after a failure": (rig) =>
      rig.fetchPopular.open().length <= 1 && (!selectPopularFailed(snapshot(rig)) || rig.fetchPopular.open().length === 0),
  },
});
