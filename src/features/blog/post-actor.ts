import { type ActorRefFrom, createActor, fromPromise, waitFor } from "xstate";
import type { BlogPost } from "#contract/index.ts";
import { blogPostMachine, selectIsPostDecided, selectPost } from "#machines/blog/post.ts";
import { reactionsMachine, selectIsReacting } from "#machines/blog/reactions.ts";
import { inspected } from "#src/browser/inspection.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { hydrated, isServerRendered } from "#src/browser/server-rendered.ts";
import { toast } from "#src/browser/toasts.ts";
import { i18n } from "#src/i18n/index.ts";
import { blogApi } from "./actor.ts";
import { persistedReactions } from "./reactions-actor.ts";
import { readerId } from "./reader.ts";

const machine = blogPostMachine.provide({
  actors: {
    fetchPost: fromPromise(({ input, signal }) => blogApi.post(input.slug, signal)),
    countView: fromPromise(({ input, signal }) => blogApi.view(input.id, readerId(), signal)),
  },
});
const reacting = reactionsMachine.provide({
  actors: { react: fromPromise(({ input, signal }) => blogApi.react(input, readerId(), signal)) },
});
type Reactions = ActorRefFrom<typeof reacting>;

export interface OpenPost {
  /** From the address. */
  slug: string;
  actor: ActorRefFrom<typeof machine>;
  reactions: Reactions;
}

interface Held extends OpenPost {
  leave(): void;
}

/** The visible post, and the post that is loading. RecentChanges the user can still react to the visible one. */
let shown: Held | undefined;
let coming: Held | undefined;

const isAt = (post: Held | undefined, slug: string) =>
  post !== undefined && (post.slug === slug || selectPost(post.actor.getSnapshot())?.slug === slug);

/**
 * Opens the post of an address. Returns the same actor until another page is opened. Resolves when there is something
 * to show, which may be an error.
 */
export async function openPost(slug: string, signal: AbortSignal): Promise<OpenPost> {
  // On the server, discards the post of the previous visitor.
  if (import.meta.env.SSR && isServerRendered()) closePost();
  const held = [shown, coming].find((post) => isAt(post, slug)) ?? create(slug);
  if (coming !== held) coming?.leave();
  coming = held === shown ? undefined : held;
  await waitFor(held.actor, selectIsPostDecided, { signal });
  return held;
}

function create(slug: string): Held {
  const actor = createActor(machine, { ...inspected(), input: { slug } });
  const reactions = createActor(reacting, inspected());
  reactions.on("reaction.stored", ({ id, reaction }) => persistedReactions.keep(id, reaction));
  actor.on("post.loaded", ({ post }) => {
    const { id, likes, dislikes } = post;
    const restore = () => reactions.send({ type: "counts.loaded", id, likes, dislikes, reaction: persistedReactions.of(id) });
    if (!isServerRendered()) return restore();
    // The HTML is the same for all readers, so it contains no reaction of this reader.
    reactions.send({ type: "counts.loaded", id, likes, dislikes, reaction: null });
    void hydrated.then(restore);
  });
  reactions.start();
  actor.start();
  return {
    slug,
    actor,
    reactions,
    leave: () => {
      actor.stop();
      finish(reactions);
    },
  };
}

/** Sends reactions from just before the user left, then stops. */
function finish(reactions: Reactions): void {
  if (!selectIsReacting(reactions.getSnapshot())) return void reactions.stop();
  reactions.subscribe((now) => {
    if (!selectIsReacting(now)) reactions.stop();
  });
}

let stopShowing: (() => void) | undefined;

/**
 * Called on a real navigation, not on a preload. Sets address and title, and counts a view once the page is visible.
 */
export function showPost(): void {
  stopShowing?.();
  if (coming !== undefined) {
    shown?.leave();
    shown = coming;
    coming = undefined;
  }
  if (shown === undefined) return;
  const { slug, actor } = shown;
  const name = () => {
    const post = selectPost(actor.getSnapshot());
    if (post) document.title = `${post.title} · Parlance`;
  };
  const see = () => {
    if (document.visibilityState === "visible") actor.send({ type: "page.seen" });
  };
  const now = (post: BlogPost) => {
    name();
    if (post.slug !== slug && decodeURIComponent(location.pathname) === `/blog/${slug}`) replaceAddress(post.slug);
  };
  const loaded = actor.on("post.loaded", ({ post }) => now(post));
  // The router sets every page's title from its route, so this must run afterwards.
  const rendered = pageRouter().subscribe("onRendered", name);
  i18n.on("languageChanged", name);
  document.addEventListener("visibilitychange", see);
  stopShowing = () => {
    loaded.unsubscribe();
    rendered();
    i18n.off("languageChanged", name);
    document.removeEventListener("visibilitychange", see);
  };
  see();
  const post = selectPost(actor.getSnapshot());
  if (post) now(post);
}

function replaceAddress(slug: string): void {
  void pageRouter().navigate({ to: "/blog/$slug", params: { slug }, replace: true, resetScroll: false });
}

/** Called when the user leaves the page. */
export function closePost(): void {
  stopShowing?.();
  stopShowing = undefined;
  shown?.leave();
  coming?.leave();
  shown = coming = undefined;
}

/** Shares the post's address with the Web Share API, or copies it if the API is not available. */
export async function share(title: string): Promise<void> {
  try {
    await navigator.share({ title, url: location.href });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    await copyAddress();
  }
}

/** Copies the post's address. Never rejects: a toast reports the result. */
export async function copyAddress(): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    toast({ kind: "success", key: "blog:share.copied" });
  } catch {
    toast({ kind: "error", key: "blog:share.failed" });
  }
}
