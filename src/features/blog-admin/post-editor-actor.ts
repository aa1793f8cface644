import { type ActorRefFrom, createActor, fromPromise, waitFor } from "xstate";
import type { AdminBlogPost } from "#contract/index.ts";
import { type PictureUploadEmitted, selectPicture, selectPictureName } from "#machines/blog-admin/picture-upload.ts";
import { postEditorMachine } from "#machines/blog-admin/post-editor/machine.ts";
import {
  canBeSaved,
  isOwnSlug,
  type PersistedDraft,
  placeOf,
  placesIn,
  type Sending,
  withoutPlaces,
} from "#machines/blog-admin/post-editor/rules.ts";
import {
  selectHasUnsaved,
  selectIsOpen,
  selectIsSettling,
  selectPostId,
  selectPostStatus,
  selectValues,
} from "#machines/blog-admin/post-editor/selectors.ts";
import { selectSlug, slugCheckMachine } from "#machines/blog-admin/slug-check.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createListeners } from "#src/browser/listeners.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { toast } from "#src/browser/toasts.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { i18n } from "#src/i18n/index.ts";
import { sizedPicture } from "#src/ui/markdown/addresses.ts";
import { blogAdminRoutes, isBlogAdminShown } from "./admin-routes.ts";
import { placesEdit, removalEdit, uploadedEdit } from "./picture-places.ts";
import { createPostPictures, type PictureRow, type PostPictures } from "./pictures.ts";
import { keepChanges, postDraftsOf } from "./post-drafts.ts";
import { createPostText, type PostText } from "./post-text.ts";
import { blogAdminApi, readQuery } from "./posts-actor.ts";

const machine = postEditorMachine.provide({
  actors: {
    load: fromPromise(({ input, signal }) => blogAdminApi.get(input.id, signal)),
    save: fromPromise(({ input, signal }) => save(input, signal)),
    remove: fromPromise(({ input, signal }) => blogAdminApi.remove(input.id, signal)),
    wakeUps: createWakeUps(),
  },
});
export type PostEditor = ActorRefFrom<typeof machine>;

const slugMachine = slugCheckMachine.provide({
  actors: {
    ask: fromPromise(({ input: { id, title, slug, own }, signal }) => blogAdminApi.slug(own ? { slug } : { title }, id, signal)),
  },
});
export type SlugCheck = ActorRefFrom<typeof slugMachine>;

export type OpenEditor = ReturnType<typeof create>;

const topicsLogic = fromPromise<readonly string[]>(async ({ signal }) => {
  // Existing topics are only suggestions, so a failure is ignored.
  const list = await blogAdminApi.list(readQuery({}), signal).catch(() => null);
  return list?.facets?.topics.map(({ topic }) => topic) ?? [];
});

function save({ id, values, status, revision }: Sending, signal: AbortSignal): Promise<AdminBlogPost> {
  const { slug, content, topics, ...others } = values;
  const post = { ...others, ...(slug !== "" && { slug }), content: withoutPlaces(content), topics: [...topics], status };
  return id === null ? blogAdminApi.create(post, signal) : blogAdminApi.update(id, { ...post, revision }, signal);
}

/** The bracket text of a new picture, which has no alternative text yet. */
export const placeWords = (name: string): string =>
  i18n.t("blog-admin:pictures.place", { name: name.replaceAll(/[[\]\n]/g, " ") });

/** Keeps the slug in step with the title, and the page's address with the post. */
function createSlugCheck(actor: PostEditor): SlugCheck {
  const slug = createActor(slugMachine, { ...inspected(), input: { id: null, title: "", slug: "", own: false } });
  slug.on("slug.made", (made) => actor.send({ type: "values.changed", values: { slug: made.slug } }));
  let title = "";
  let id: string | null = null;
  actor.subscribe((snapshot) => {
    const values = selectValues(snapshot);
    const postId = selectPostId(snapshot);
    if (postId !== null && postId !== id) slug.send({ type: "post.saved", id: postId });
    if (values.slug !== selectSlug(slug.getSnapshot()))
      slug.send({ type: "slug.shown", slug: values.slug, own: isOwnSlug(values, selectPostStatus(snapshot)) });
    // Only typing changes the slug. The slug of a loaded post stays.
    const isLoaded = selectIsOpen(snapshot);
    if (isLoaded && values.title !== title && (title !== "" || postId === null))
      slug.send({ type: "title.changed", title: values.title });
    if (isLoaded) title = values.title;
    id = postId;
  });
  return slug.start();
}

/** Applies changes of a picture's state to the text, or to the cover. */
function applyPictureEvent(actor: PostEditor, text: PostText, row: PictureRow, event: PictureUploadEmitted): void {
  const { cover } = selectValues(actor.getSnapshot());
  if (event.type === "upload.cancelled") {
    if (row.use === "text") text.edit((content) => removalEdit(content, row.id));
    else if (cover?.url.endsWith(row.id)) actor.send({ type: "values.changed", values: { cover: null } });
    return;
  }
  const { url, width = 1200, height = 675 } = event.picture;
  if (row.use === "cover") {
    actor.send({ type: "values.changed", values: { cover: { url, width, height, alt: cover?.alt ?? "" } } });
    return;
  }
  const words = placeWords(selectPictureName(row.actor.getSnapshot()));
  text.edit((content) => uploadedEdit(content, row.id, sizedPicture(url, event.picture), words));
}

/** Resumes pictures that a reload interrupted or an undo restored. Removes pictures whose file is lost. */
function followPlaces(actor: PostEditor, text: PostText, pictures: PostPictures): void {
  let seen = "";
  const asked = new Set<string>();
  const follow = (id: string) => {
    const row = pictures.list().find((one) => one.id === id);
    const picture = row && selectPicture(row.actor.getSnapshot());
    if (row && picture) applyPictureEvent(actor, text, row, { type: "picture.arrived", picture, isPlaceholder: false });
    if (row || asked.has(id)) return;
    asked.add(id);
    void pictures.resume(id).then((resumed) => {
      if (resumed === undefined) text.edit((now) => removalEdit(now, id));
      else resumed.actor.start();
    });
  };
  actor.subscribe((snapshot) => {
    const { content } = selectValues(snapshot);
    if (content === seen || !selectIsOpen(snapshot)) return;
    seen = content;
    placesIn(content).forEach(follow);
  });
}

function announce(actor: PostEditor): void {
  actor.on("post.created", ({ id }) => void goTo({ id }));
  for (const change of ["published", "updated", "unpublished"] as const)
    actor.on(`post.${change}`, () => toast({ kind: "success", key: `blog-admin:success.${change}` }));
  actor.on("save.failed", () => toast({ kind: "error", key: "blog-admin:failed.save" }));
  actor.on("removal.failed", () => toast({ kind: "error", key: "blog-admin:failed.delete" }));
  actor.on("post.removed", () => {
    toast({ kind: "success", key: "blog-admin:success.deleted" });
    void pageRouter().navigate({ to: blogAdminRoutes().posts });
  });
}

/** Navigates to the address of the open post, under the current prefix. */
async function goTo(search: { id: string }): Promise<void> {
  if (!isBlogAdminShown("editor")) return;
  await pageRouter().navigate({ to: blogAdminRoutes().editor, search, replace: true, resetScroll: false });
}

/** Creates an open post with everything that its editing needs. */
function create(id: string | null, ownerId: string) {
  const drafts = postDraftsOf(ownerId, id);
  const persisted: readonly PersistedDraft[] = drafts.recall();
  const actor = createActor(machine, {
    ...inspected(),
    input: { id, language: i18n.language.slice(0, 2), persisted, now: Date.now },
  });
  const read = () => selectValues(actor.getSnapshot()).content;
  const text = createPostText(read, (content) => actor.send({ type: "values.changed", values: { content } }));
  const pictures = createPostPictures(ownerId, (row, event) => applyPictureEvent(actor, text, row, event));
  const keeping = keepChanges(actor, ownerId, id, drafts);
  followPlaces(actor, text, pictures);
  announce(actor);
  const slug = createSlugCheck(actor);
  actor.start();
  /** Inserts pictures at the cursor. */
  const addPictures = (files: readonly File[]) => {
    const rows = files.map((file) => pictures.add("text", file));
    const places = rows.map(({ id: name }, index) => placeOf(name, placeWords(files[index]?.name ?? "")));
    text.edit((content) => placesEdit(content, text.selection(), places));
    for (const row of rows) row.actor.start();
  };
  const addCover = (file: File) => void pictures.add("cover", file).actor.start();
  const topics = createActor(topicsLogic, inspected()).start();
  return { actor, slug, text, pictures, keeping, topics, addPictures, addCover };
}

const listeners = createListeners();
const editors = perOwner<OpenEditor>({
  end: ({ actor, slug, topics, pictures }) => {
    for (const part of [actor, slug, topics]) part.stop();
    pictures.stop();
    listeners.emit();
  },
});

/** The state of the editor's page. It changes in place when the user opens another post. */
export const openedEditor = { get: editors.opened, subscribe: listeners.subscribe };

/** Opens the post of the address (`?id=`), or a new one. Returns the same actor until the address changes. */
export function openEditor({ id: asked }: Readonly<Record<string, unknown>>): void {
  const id = typeof asked === "string" || typeof asked === "number" ? String(asked) : null;
  const known = editors.mine()?.actor.getSnapshot();
  if (known?.status === "active" && selectPostId(known) === id) return;
  editors.replace((owner) => create(id, owner ?? ""));
  listeners.emit();
}

/** Called when the user leaves the page. Unsaved changes stay persisted. */
export function closeEditor(): void {
  // Switching to the other prefix keeps the actor.
  if (!isBlogAdminShown("editor")) editors.close();
}

/** How long leaving the page waits for a draft to be saved before it asks for confirmation (ms). */
const leaveTimeoutMs = 4_000;

/** Saves a draft first. @returns whether the user may leave without confirmation */
export async function mayLeave({ actor, pictures }: OpenEditor, nextId: unknown): Promise<boolean> {
  const open = editors.mine();
  if (open === undefined) return true;
  if (nextId !== undefined && String(nextId) === selectPostId(actor.getSnapshot())) return true;
  if (!pictures.isSending() && selectPostStatus(actor.getSnapshot()) === "draft" && hasUnsaved(open)) {
    if (canBeSaved(selectValues(actor.getSnapshot()))) actor.send({ type: "save.requested", status: "draft" });
    await waitFor(actor, (snapshot) => !selectIsSettling(snapshot), { timeout: leaveTimeoutMs }).catch(() => undefined);
  }
  return !hasUnsaved({ actor, pictures });
}

export const hasUnsaved = ({ actor, pictures }: Pick<OpenEditor, "actor" | "pictures">): boolean =>
  selectHasUnsaved(actor.getSnapshot()) || (actor.getSnapshot().status === "active" && pictures.isSending());
