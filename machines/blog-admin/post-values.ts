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
