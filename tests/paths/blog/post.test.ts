import { parse } from "valibot";
import { createActor } from "xstate";
import { BlogPost } from "#contract/index.ts";
import { blogPostMachine, selectIsPostDecided, selectIsPostMissing, selectPost, selectPostFailure } from "#machines/blog/post.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const post = parse(BlogPost, { id: "p1", title: "Tea", slug: "tea" });

function prepare(stubs: Stubs) {
  const fetchPost = stubs.asking<BlogPost, { slug: string }>();
  const countView = stubs.asking<unknown, { id: string }>();
  const machine = blogPostMachine.provide({ actors: { fetchPost: fetchPost.logic, countView: countView.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { slug: "tea" } });
    let loaded = 0;
    actor.on("post.loaded", () => {
      loaded += 1;
    });
    return { actor, fetchPost, countView, loaded: () => loaded };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();

walkTests<Harness>({
  machine: blogPostMachine,
  prepare,
  simple: true,
  moves: [
    sent({ type: "page.seen" }),
    sent({ type: "reload.requested" }),
    answered(
      "the post comes",
      ({ fetchPost }: Harness) => fetchPost,
      () => post,
    ),
    refused("there is none", ({ fetchPost }: Harness) => fetchPost, failure("notFound")),
    refused("it can't be had", ({ fetchPost }: Harness) => fetchPost, failure("network")),
    answered(
      "it is counted",
      ({ countView }: Harness) => countView,
      () => undefined,
    ),
    refused("it is not counted", ({ countView }: Harness) => countView, failure("tooManyRequests")),
  ],
  situation: (harness) => [snapshot(harness).context.isSeen, harness.countView.times()],
  rules: {
    "it counts as read once": ({ countView }) => countView.times() <= 1,
    "it counts as read only when it is there and in front of somebody": (harness) =>
      harness.countView.times() === 0 || (selectPost(snapshot(harness)) !== null && snapshot(harness).context.isSeen),
    "that it could not be counted is nobody's trouble": (harness) =>
      selectPost(snapshot(harness)) === null || selectPostFailure(snapshot(harness)) === null,
    "it is emitted once": (harness) => harness.loaded() === (selectPost(snapshot(harness)) === null ? 0 : 1),
    "it is asked for one at a time": (harness) =>
      harness.fetchPost.open().length === (selectIsPostDecided(snapshot(harness)) ? 0 : 1),
    "what is missing is no failure": (harness) =>
      !selectIsPostMissing(snapshot(harness)) || selectPostFailure(snapshot(harness)) === null,
  },
});
