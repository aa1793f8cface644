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
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const query: BlogQuery = { page: 1, topics: [], language: "", generated: null };
const other: BlogQuery = { ...query, topics: ["tea"] };
/** The page's number represents the query. */
const listOf = (asked: BlogQuery | undefined): BlogList => ({
  posts: [],
  total: asked === other ? 1 : 2,
  page: 1,
  totalPages: 1,
  facets: undefined,
});

function prepare(stubs: Stubs) {
  const fetchPosts = stubs.asking<BlogList, BlogQuery>();
  const fetchPopular = stubs.asking<readonly BlogSummary[]>();
  const machine = blogListMachine.provide({ actors: { fetchPosts: fetchPosts.logic, fetchPopular: fetchPopular.logic } });
  return ({ clock, inspect }: RunOptions) => ({
    actor: createActor(machine, { clock, inspect, input: { query } }),
    fetchPosts,
    fetchPopular,
  });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();

walkTests<Harness>({
  machine: blogListMachine,
  prepare,
  moves: [
    sent({ type: "query.changed", query: other }, "other filters"),
    sent({ type: "query.changed", query }, "no filters"),
    sent({ type: "list.entered", query }, "one comes back to it"),
    sent({ type: "retry.requested" }),
    answered(
      "the posts come",
      ({ fetchPosts }: Harness) => fetchPosts,
      (_, asked) => listOf(asked),
    ),
    refused("the posts don't come", ({ fetchPosts }: Harness) => fetchPosts, failure("network")),
    answered(
      "the popular ones come",
      ({ fetchPopular }: Harness) => fetchPopular,
      () => [],
    ),
    refused("the popular ones don't come", ({ fetchPopular }: Harness) => fetchPopular, failure("internal")),
  ],
  situation: (harness) => [selectQuery(snapshot(harness)) === other, selectList(snapshot(harness))?.total],
  rules: {
    "one list at a time, of the filters that are wanted": (harness) =>
      harness.fetchPosts.open().length <= 1 &&
      harness.fetchPosts.open().every(({ input }) => input === selectQuery(snapshot(harness))),
    "a list that is no more on its way is the one that is wanted": (harness) =>
      selectIsLoadingPosts(snapshot(harness)) ||
      selectList(snapshot(harness)) === null ||
      selectList(snapshot(harness))?.total === listOf(selectQuery(snapshot(harness))).total,
    "a failure leaves no list that is not what is wanted": (harness) =>
      selectPostsFailure(snapshot(harness)) === null || selectList(snapshot(harness)) === null,
    "the popular posts are asked for once, and again after a failure": (harness) =>
      harness.fetchPopular.open().length <= 1 &&
      (!selectPopularFailed(snapshot(harness)) || harness.fetchPopular.open().length === 0),
  },
});
