import type { AdminBlogPost, BlogImage, PostStatus } from "#contract/index.ts";
import type { AutosaveContext } from "#machines/autosave.ts";

/** The editable fields of a post. */
export interface PostValues {
  title: string;
  /** "": the server makes it from the title. */
  slug: string;
  summary: string;
  /** Markdown, with placeholders for pictures that are being uploaded. */
  content: string;
  topics: readonly string[];
  language: string;
  cover: BlogImage | null;
}
export type PostField = keyof PostValues;

/** Unsaved changes, as persisted in the browser. */
export interface PersistedDraft {
  /** Epoch ms; also its id among several. */
  at: number;
  /** The revision of the post on which the edits are based; 0 for a new one. */
  revision: number;
  values: PostValues;
}

/** The content of a save. */
export interface Sending {
  id: string | null;
  values: PostValues;
  status: PostStatus;
  /** The revision of the post on which it is based. */
  revision: number;
  /** Requested by the person; else an autosave. */
  asked: boolean;
}

const fields = ["title", "slug", "summary", "content", "topics", "language", "cover"] as const satisfies readonly PostField[];

export const emptyPost = (language: string): PostValues => ({
  title: "",
  slug: "",
  summary: "",
  content: "",
  topics: [],
  language,
  cover: null,
});

export const valuesOf = ({ title, slug, summary, content, topics, language, cover }: AdminBlogPost): PostValues => ({
  title,
  slug,
  summary,
  content,
  topics,
  language,
  cover,
});

const picturePlace = /!\[[^\]\n]*\]\(upload:([\w-]+)\)/g;

/** The placeholder of a picture in the text until it has an address. */
export const placeOf = (id: string, words: string): string => `![${words.replaceAll(/[[\]\n]/g, " ")}](upload:${id})`;

/** The ids of the pictures that have placeholders in the text. */
export const placesIn = (content: string): readonly string[] => [...content.matchAll(picturePlace)].map(([, id = ""]) => id);

/** Removes placeholders: other people can't see a picture that is still being uploaded. */
export const withoutPlaces = (content: string): string => content.replaceAll(picturePlace, "");

const same = (field: PostField, one: PostValues, other: PostValues): boolean => {
  if (field === "content") return withoutPlaces(one.content) === withoutPlaces(other.content);
  if (field === "topics" || field === "cover") return JSON.stringify(one[field]) === JSON.stringify(other[field]);
  return one[field] === other[field];
};

/** The fields in which the two differ. */
export const differences = (one: PostValues, other: PostValues): readonly PostField[] =>
  one === other ? [] : fields.filter((field) => !same(field, one, other));

/** Whether it is worth keeping beside the other: placeholders count, because the browser keeps their files. */
export const isOther = (one: PostValues, other: PostValues): boolean =>
  one.content !== other.content || differences(one, other).length > 0;

/**
 * A slug that is not derived from the title has lowercase letters, digits and single hyphens; the same as the
 * contract's `Slug`.
 */
const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;
export const isSlug = (slug: string): boolean => slug.length <= 120 && slugPattern.test(slug);

/** Whether the server would accept it. */
export const canBeSaved = ({ title, slug }: PostValues): boolean => title.trim() !== "" && (slug === "" || isSlug(slug));

/** Whether the slug was chosen by hand or is already public: it does not follow the title any more. */
export function isOwnSlug({ title, slug }: PostValues, status: PostStatus): boolean {
  if (status === "published") return true;
  return slug !== "" && slug.replace(/-\d+$/, "") !== roughSlug(title).replace(/-\d+$/, "");
}

/** Approximates the slug that the server would make: good enough to see whether a slug follows its title. */
function roughSlug(title: string): string {
  const latin = title.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return latin.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-+|-+$/g, "");
}

/** The part of the machine's context that is edited. */
export interface EditedPost {
  /** null: it is not on the server yet. */
  id: string | null;
  /** The server's latest answer; null for a new post. */
  post: AdminBlogPost | null;
  /** The values on screen. */
  values: PostValues;
  /** The server's version, as far as this page knows. */
  saved: PostValues;
  /** The revision of the post on which the edits are based. */
  revision: number;
  status: PostStatus;
  /** The requested status that was not sent yet; null if there is none. */
  wanted: PostStatus | null;
  /** The save in flight, or the last failed one. */
  sending: Sending | null;
  /** The server's version in a conflict; null without a conflict, or if the post was deleted. */
  theirs: AdminBlogPost | null;
  /** Earlier unsaved versions, newest first. */
  offers: readonly PersistedDraft[];
}

export interface PostEditorContext extends EditedPost, AutosaveContext {
  /** Why loading failed: a code of the contract. */
  loadError: string | null;
  /** The person requested a save, but required fields are missing: they are shown. */
  tried: boolean;
  /**
   * The id of the post whose deletion is in flight; null if there is none. A copy that is made then is another post.
   */
  removing: string | null;
  /** Epoch ms. */
  now(): number;
}

export const isDirty = ({ values, saved }: EditedPost): boolean => differences(values, saved).length > 0;

/** Drafts only: public text changes only on request. */
export const savesItself = (edited: EditedPost): boolean =>
  edited.status === "draft" && isDirty(edited) && canBeSaved(edited.values);

/** The version of the server. */
const serverFieldsOf = (post: AdminBlogPost) => {
  const values = valuesOf(post);
  return { post, values, saved: values, revision: post.revision, status: post.status, id: post.id };
};

/** A persisted version that equals the current one is not offered. */
export const withLoaded = <C extends EditedPost>(context: C, post: AdminBlogPost): C => {
  const there = serverFieldsOf(post);
  return { ...context, ...there, offers: context.offers.filter(({ values }) => isOther(values, there.values)) };
};

/** Edits made while the save was in flight stay; so does the text as typed, which the server may have trimmed. */
export const withSaved = <C extends EditedPost>(context: C, post: AdminBlogPost): C => {
  const sent = context.sending?.values ?? context.values;
  const { slug } = post;
  const values = context.values.slug === sent.slug ? { ...context.values, slug } : context.values;
  const { id, revision, status } = post;
  return { ...context, id, post, revision, status, values, saved: { ...sent, slug }, sending: null };
};

/** The failed save is queued again. */
export const withUndoneEdits = <C extends EditedPost>(context: C): C => {
  const { sending, wanted } = context;
  return { ...context, wanted: wanted ?? (sending?.asked ? sending.status : null), sending: null };
};

/** My version overwrites theirs. */
export const withMine = <C extends EditedPost>(context: C): C => {
  const { theirs, wanted } = context;
  if (theirs === null) return context;
  return { ...context, theirs: null, revision: theirs.revision, status: theirs.status, wanted: wanted ?? theirs.status };
};

const withSavedDraft = ({ offers, values, revision }: EditedPost, at: number): readonly PersistedDraft[] => [
  { at, revision, values },
  ...offers,
];

/** Their version is shown; mine is offered for restoring. @param at epoch ms */
export const withServerVersion = <C extends EditedPost>(context: C, at: number): C => {
  const { theirs } = context;
  if (theirs === null) return context;
  // Both were compared in the conflict: mine may overwrite theirs without another one.
  const offers = withSavedDraft({ ...context, revision: theirs.revision }, at);
  return { ...context, ...serverFieldsOf(theirs), theirs: null, wanted: null, offers };
};

/** My version becomes another post, with a slug of its own. */
export const withCopy = <C extends EditedPost>(context: C): C => {
  const own = { id: null, post: null, revision: 0, status: "draft", wanted: "draft", theirs: null } as const;
  return { ...context, ...own, values: { ...context.values, slug: "" } };
};

/**
 * Restores a stored version; unsaved changes on screen are stored instead.
 * @param now epoch ms
 */
export const withOffer = <C extends EditedPost>(context: C, { at, now }: { at: number; now: number }): C => {
  const offer = context.offers.find((one) => one.at === at);
  if (offer === undefined) return context;
  const others = context.offers.filter((one) => one !== offer);
  const offers = isDirty(context) ? withSavedDraft({ ...context, offers: others }, now) : others;
  // A save by someone else since then is a conflict: the revision is the one on which the edits are based.
  return { ...context, values: offer.values, revision: offer.revision, offers };
};

export const withoutOffer = <C extends EditedPost>(context: C, at: number): C => ({
  ...context,
  offers: context.offers.filter((one) => one.at !== at),
});
