import { parse } from "valibot";
import { createActor } from "xstate";
import { BlogPost } from "#contract/index.ts";
import { blogPostMachine, selectIsPostDecided, selectIsPostMissing, selectPost, selectPostFailure } from "#machines/blog/post.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const post = parse(BlogPost, { id: "p1", title: "Tea", slug: "tea" });

function prepare(stage: Stage) {
  const fetchPost = stage.asking<BlogPost, { slug: string }>();
  const countView = stage.asking<unknown, { id: string }>();
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
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();

walkTests<Rig>({
  machine: blogPostMachine,
  prepare,
  simple: true,
  moves: [
    sent({ type: "page.seen" }),
    sent({ type: "reload.requested" }),
    answered(
      "the post comes",
      ({ fetchPost }: Rig) => fetchPost,
      () => post,
    ),
    refused("there is none", ({ fetchPost }: Rig) => fetchPost, failure("notFound")),
    refused("it can't be had", ({ fetchPost }: Rig) => fetchPost, failure("network")),
    answered(
      "it is counted",
      ({ countView }: Rig) => countView,
      () => undefined,
    ),
    refused("it is not counted", ({ countView }: Rig) => countView, failure("tooManyRequests")),
  ],
  situation: (rig) => [snapshot(rig).context.isSeen, rig.countView.times()],
  rules: {
    "it counts as read once": ({ countView }) => countView.times() <= 1,
    "it counts as read only when it is there and in front of somebody": (rig) =>
      rig.countView.times() === 0 || (selectPost(snapshot(rig)) !== null && snapshot(rig).context.isSeen),
    "that it could not be counted is nobody's trouble": (rig) =>
      selectPost(snapshot(rig)) === null || selectPostFailure(snapshot(rig)) === null,
    "it is emitted once": (rig) => rig.loaded() === (selectPost(snapshot(rig)) === null ? 0 : 1),
    "it is asked for one at a time": (rig) => rig.fetchPost.open().length === (selectIsPostDecided(snapshot(rig)) ? 0 : 1),
    "what is missing is no failure": (rig) => !selectIsPostMissing(snapshot(rig)) || selectPostFailure(snapshot(rig)) === null,
  },
});
