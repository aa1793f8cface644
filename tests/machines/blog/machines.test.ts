import { parse } from "valibot";
import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import { type BlogList, BlogPost, type BlogQuery, BlogSummary } from "#contract/index.ts";
import {
  blogListMachine,
  selectFacets,
  selectIsLoadingPopular,
  selectIsLoadingPosts,
  selectList,
  selectPopular,
  selectPopularFailed,
  selectPostsFailure,
} from "#machines/blog/list.ts";
import { blogPostMachine, selectIsPostDecided, selectIsPostMissing, selectPost, selectPostFailure } from "#machines/blog/post.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

const post = parse(BlogPost, { id: 7, title: "Tea", slug: "tea" });
const whole: BlogQuery = { page: 1, topics: [], language: "", generated: null };
const tea: BlogQuery = { ...whole, topics: ["tea"] };
const facets = { topics: [{ topic: "tea", count: 1 }], languages: [{ language: "en", count: 1 }] };
const list: BlogList = { posts: [parse(BlogSummary, post)], total: 1, page: 1, totalPages: 1, facets };

function openList() {
  const fetchPosts = answering<BlogList, BlogQuery>();
  const fetchPopular = answering<readonly BlogSummary[]>();
  const machine = blogListMachine.provide({ actors: { fetchPosts: fetchPosts.logic, fetchPopular: fetchPopular.logic } });
  const actor = stopsAfterTest(createActor(machine, { input: { query: whole } }));
  actor.start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  return { actor, fetchPosts, fetchPopular, get };
}

describe("list of blog posts", () => {
  test("keeps the old list while another loads, and ignores outdated answers", async () => {
    const { actor, fetchPosts, get } = openList();
    await fetchPosts.last().resolve(list);
    actor.send({ type: "query.changed", query: tea });
    expect([get(selectIsLoadingPosts), get(selectList)]).toEqual([true, list]);
    const [, late] = fetchPosts.asked;
    actor.send({ type: "query.changed", query: whole });
    expect(late?.signal.aborted).toBe(true);
    await late?.resolve({ ...list, total: 99 });
    expect(get(selectList)).toBe(list);
    actor.send({ type: "query.changed", query: { ...whole } });
    expect(fetchPosts.asked.length).toBe(3);
    await fetchPosts.last().resolve({ ...list, total: 3, facets: undefined });
    expect([get(selectList)?.total, get(selectIsLoadingPosts), get(selectFacets)]).toEqual([3, false, facets]);
    actor.send({ type: "list.entered", query: whole });
    expect([get(selectList)?.total, get(selectIsLoadingPosts), fetchPosts.asked.length]).toEqual([3, true, 4]);
  });

  test("shows why the list failed, removes it, and fetches it again on retry", async () => {
    const { actor, fetchPosts, get } = openList();
    await fetchPosts.last().resolve(list);
    actor.send({ type: "query.changed", query: tea });
    await fetchPosts.last().reject("network");
    expect([get(selectPostsFailure), get(selectList), get(selectFacets)]).toEqual(["network", null, facets]);
    actor.send({ type: "retry.requested" });
    expect([get(selectPostsFailure), fetchPosts.inputs().at(-1)]).toEqual([null, tea]);
    await fetchPosts.last().resolve(list);
    expect(get(selectList)).toBe(list);
  });

  test("loads the list without waiting for the popular posts, which are fetched again after a failure", async () => {
    const { actor, fetchPosts, fetchPopular, get } = openList();
    await fetchPosts.last().resolve(list);
    await fetchPopular.last().reject("internal");
    expect([get(selectList), get(selectPopularFailed)]).toEqual([list, true]);
    actor.send({ type: "retry.requested" });
    await fetchPopular.last().resolve(list.posts);
    expect([get(selectPopular), get(selectPopularFailed), fetchPosts.asked.length]).toEqual([list.posts, false, 1]);
  });
});

function openPost() {
  const fetchPost = answering<BlogPost, { slug: string }>();
  const countView = answering<unknown, { id: string }>();
  const machine = blogPostMachine.provide({ actors: { fetchPost: fetchPost.logic, countView: countView.logic } });
  const actor = stopsAfterTest(createActor(machine, { input: { slug: "tea" } }));
  const emitted: string[] = [];
  actor.on("post.loaded", (event) => emitted.push(event.post.slug));
  actor.start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  return { actor, fetchPost, countView, emitted, get };
}

describe("blog post", () => {
  test("counts a post as read once it is both loaded and visible", async () => {
    const behind = openPost();
    await behind.fetchPost.last().resolve(post);
    expect([behind.get(selectPost), behind.countView.asked.length, behind.emitted]).toEqual([post, 0, ["tea"]]);
    behind.actor.send({ type: "page.seen" });
    behind.actor.send({ type: "page.seen" });
    expect(behind.countView.inputs()).toEqual([{ id: "7" }]);
    await behind.countView.last().resolve(undefined);
    behind.actor.send({ type: "page.seen" });
    expect(behind.countView.asked.length).toBe(1);

    const before = openPost();
    before.actor.send({ type: "page.seen" });
    expect(before.countView.asked.length).toBe(0);
    await before.fetchPost.last().resolve(post);
    expect(before.countView.inputs()).toEqual([{ id: "7" }]);
    await before.countView.last().reject("tooManyRequests");
    expect([before.get(selectPost), before.get(selectPostFailure)]).toEqual([post, null]);
  });

  test.each(["notFound", "gone"])("reports a missing post (%s) without offering a retry", async (code) => {
    const { actor, fetchPost, get } = openPost();
    await fetchPost.last().reject(code);
    expect([get(selectIsPostMissing), get(selectPostFailure)]).toEqual([true, null]);
    actor.send({ type: "reload.requested" });
    expect(fetchPost.asked.length).toBe(1);
  });

  test("retries a post that could not be loaded", async () => {
    const { actor, fetchPost, get } = openPost();
    await fetchPost.last().reject("network");
    expect([get(selectIsPostMissing), get(selectPostFailure)]).toEqual([false, "network"]);
    actor.send({ type: "reload.requested" });
    expect(get(selectPostFailure)).toBeNull();
    await fetchPost.last().resolve(post);
    expect(get(selectPost)).toBe(post);
  });
});

test("shows popular posts as loading until they have arrived", async () => {
  const { fetchPopular, get } = openList();
  expect([get(selectIsLoadingPopular), get(selectPopularFailed)]).toEqual([true, false]);
  await fetchPopular.last().reject("network");
  expect([get(selectIsLoadingPopular), get(selectPopularFailed), get(selectPopular)]).toEqual([false, true, []]);
  const { fetchPost, get: ofPost } = openPost();
  expect(ofPost(selectIsPostDecided)).toBe(false);
  await fetchPost.last().resolve(post);
  expect(ofPost(selectIsPostDecided)).toBe(true);
});
