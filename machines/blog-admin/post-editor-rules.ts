import type { AdminBlogPost, BlogImage, PostStatus } from "#contract/index.ts";

/** What is written of a post. */
export interface PostValues {
  title: string;
  /** "": made from the title by the server. */
  slug: string;
  summary: string;
  /** Markdown; places of pictures that are on their way among it. */
  content: string;
  topics: readonly string[];
  language: string;
  cover: BlogImage | null;
}
export type PostField = keyof PostValues;

/** What was written and the server did not have, as the browser keeps it. */
export interface PersistedDraft {
  /** Epoch ms; its name among several, too. */
  at: number;
  /** Of the post that was changed; 0: it was new. */
  revision: number;
  values: PostValues;
}

/** What a save sends. */
export interface Sending {
  id: string | null;
  values: PostValues;
  status: PostStatus;
  /** Of the post that was changed. */
  revision: number;
  /** By the person; else it is saved by itself. */
  asked: boolean;
}

const fields = ["title", "slug", "summary", "content", "topics", "language", "cover"] as const satisfies readonly PostField[];

export const emptyPost = (language: string): PostValues => ({
  ...{ title: "", slug: "", summary: "", content: "", topics: [], language, cover: null },
});

export const valuesOf = ({ title, slug, summary, content, topics, language, cover }: AdminBlogPost): PostValues => ({
  ...{ title, slug, summary, content, topics, language, cover },
});

const picturePlace = /!\[[^\]\n]*\]\(upload:([\w-]+)\)/g;

/** What holds the place of a picture in the text until it has an address. */
export const placeOf = (id: string, words: string): string => `![${words.replaceAll(/[[\]\n]/g, " ")}](upload:${id})`;

/** The ids of the pictures that the text has places for. */
export const placesIn = (content: string): readonly string[] => [...content.matchAll(picturePlace)].map(([, id = ""]) => id);

/** As the server gets it: nobody else can see a picture that is still on its way. */
export const withoutPlaces = (content: string): string => content.replaceAll(picturePlace, "");

const same = (field: PostField, one: PostValues, other: PostValues): boolean => {
  if (field === "content") return withoutPlaces(one.content) === withoutPlaces(other.content);
  if (field === "topics" || field === "cover") return JSON.stringify(one[field]) === JSON.stringify(other[field]);
  return one[field] === other[field];
};

/** What is not the same in the two. */
export const differences = (one: PostValues, other: PostValues): readonly PostField[] =>
  one === other ? [] : fields.filter((field) => !same(field, one, other));

/** Whether it is worth keeping beside the other: places of pictures count, whose files the browser keeps. */
export const isOther = (one: PostValues, other: PostValues): boolean =>
  one.content !== other.content || differences(one, other).length > 0;

/** An address that is not made from the title has small letters, digits and single hyphens; the same as the contract's `Slug`. */
const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;
export const isSlug = (slug: string): boolean => slug.length <= 120 && slugPattern.test(slug);

/** Whether the server would take it. */
export const canBeSaved = ({ title, slug }: PostValues): boolean => title.trim() !== "" && (slug === "" || isSlug(slug));

/** Whether the address is one that somebody has chosen, or readers know: it does not go with the title any more. */
export function isOwnSlug({ title, slug }: PostValues, status: PostStatus): boolean {
  if (status === "published") return true;
  return slug !== "" && slug.replace(/-\d+$/, "") !== roughSlug(title).replace(/-\d+$/, "");
}

/** About the address that the server would make: good enough to see whether one follows its title. */
function roughSlug(title: string): string {
  const latin = title.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return latin.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-+|-+$/g, "");
}

/** The part of the machine's context that is written. */
export interface EditedPost {
  /** null: it is not on the server yet. */
  id: string | null;
  /** As the server last answered it; null for a new one. */
  post: AdminBlogPost | null;
  /** As the person sees it. */
  values: PostValues;
  /** As the server has it, as far as this page knows. */
  saved: PostValues;
  /** Of the post that is written on. */
  revision: number;
  status: PostStatus;
  /** What the person has asked for and was not sent yet; null: nothing. */
  wanted: PostStatus | null;
  /** On its way, or what did not arrive last. */
  sending: Sending | null;
  /** Somebody else's version, while it is decided whose is kept; null: there is none, or the post is gone. */
  theirs: AdminBlogPost | null;
  /** What was written before and the server never had, the newest first. */
  offers: readonly PersistedDraft[];
}

export interface PostEditorContext extends EditedPost {
  /** Codes of the contract. */
  loadError: string | null;
  saveError: string | null;
  /** The person has asked for a save that could not be tried: what is missing is said. */
  tried: boolean;
}

export const isDirty = ({ values, saved }: EditedPost): boolean => differences(values, saved).length > 0;

/** Drafts only: what readers see changes when somebody says so. */
export const savesItself = (edited: EditedPost): boolean =>
  edited.status === "draft" && isDirty(edited) && canBeSaved(edited.values);

/** The version of the server. */
const asServerHas = (post: AdminBlogPost) => {
  const values = valuesOf(post);
  return { post, values, saved: values, revision: post.revision, status: post.status, id: post.id };
};

/** What was kept and is the same as what is there now need not be offered. */
export const withLoaded = <C extends EditedPost>(context: C, post: AdminBlogPost): C => {
  const there = asServerHas(post);
  return { ...context, ...there, offers: context.offers.filter(({ values }) => isOther(values, there.values)) };
};

/** What was written while it was on its way stays; so does the text as it was typed, which the server may have trimmed. */
export const withSaved = <C extends EditedPost>(context: C, post: AdminBlogPost): C => {
  const sent = context.sending?.values ?? context.values;
  const { slug } = post;
  const values = context.values.slug === sent.slug ? { ...context.values, slug } : context.values;
  const { id, revision, status } = post;
  return { ...context, ...{ id, post, revision, status, values }, saved: { ...sent, slug }, sending: null };
};

/** What was to be sent is to be sent again. */
export const withTakenBack = <C extends EditedPost>(context: C): C => {
  const { sending, wanted } = context;
  return { ...context, wanted: wanted ?? (sending?.asked ? sending.status : null), sending: null };
};

/** Mine goes over theirs. */
export const withMine = <C extends EditedPost>(context: C): C => {
  const { theirs, wanted } = context;
  if (theirs === null) return context;
  return { ...context, theirs: null, revision: theirs.revision, status: theirs.status, wanted: wanted ?? theirs.status };
};

const withKept = ({ offers, values, revision }: EditedPost, at: number): readonly PersistedDraft[] => [
  { at, revision, values },
  ...offers,
];

/** Theirs is shown; mine is offered from now on. @param at epoch ms */
export const withTheirs = <C extends EditedPost>(context: C, at: number): C => {
  const { theirs } = context;
  if (theirs === null) return context;
  // What was seen beside theirs may go over it without another question.
  const offers = withKept({ ...context, revision: theirs.revision }, at);
  return { ...context, ...asServerHas(theirs), theirs: null, wanted: null, offers };
};

/** Mine becomes another post, under an address of its own. */
export const withCopy = <C extends EditedPost>(context: C): C => {
  const own = { id: null, post: null, revision: 0, status: "draft", wanted: "draft", theirs: null } as const;
  return { ...context, ...own, values: { ...context.values, slug: "" } };
};

/** What was kept is shown; what was shown and is not saved is kept in its stead. @param at which @param now epoch ms */
export const withOffer = <C extends EditedPost>(context: C, { at, now }: { at: number; now: number }): C => {
  const offer = context.offers.find((one) => one.at === at);
  if (offer === undefined) return context;
  const others = context.offers.filter((one) => one !== offer);
  const offers = isDirty(context) ? withKept({ ...context, offers: others }, now) : others;
  // Whoever has saved since is told about: the revision is that of what was changed then.
  return { ...context, values: offer.values, revision: offer.revision, offers };
};

export const withoutOffer = <C extends EditedPost>(context: C, at: number): C => ({
  ...context,
  offers: context.offers.filter((one) => one.at !== at),
});
