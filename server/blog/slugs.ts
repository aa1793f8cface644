import slugify from "@sindresorhus/slugify";
import { reservedSlugs } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { slugsLike, slugUser } from "./queries.ts";

/** Maximum length of the part that is made from a title, in characters: a number may follow. */
const maxTitle = 80;

/** A slug made from a title; "post" for a title in a script without a Latin form. May be taken. */
export function slugOf(title: string): string {
  const whole = slugify(title, { decamelize: false, customReplacements: [["&", " "]] });
  const cut = whole.length <= maxTitle ? whole : whole.slice(0, maxTitle + 1).replace(/-[^-]*$/, "");
  return cut.slice(0, maxTitle).replace(/^-+|-+$/g, "") || "post";
}

/**
 * The wanted slug if it is free, else the first free one of wanted-2, wanted-3, …; previous slugs of other posts count
 * as used.
 * @param forPost the post that gets it: its own slugs count as free
 */
export async function freeSlug(db: Db, wanted: string, forPost?: string): Promise<string> {
  const taken = await slugsLike(db, wanted, forPost);
  const isFree = (slug: string) => !taken.has(slug) && !reservedSlugs.has(slug);
  if (isFree(wanted)) return wanted;
  for (let number = 2; ; number++) {
    const ending = `-${number}`;
    const slug = `${wanted.slice(0, 120 - ending.length).replace(/-+$/, "")}${ending}`;
    if (isFree(slug) && (slug.startsWith(wanted) || (await isSlugFree(db, slug, forPost)))) return slug;
  }
}

export async function isSlugFree(db: Db, slug: string, forPost?: string): Promise<boolean> {
  if (reservedSlugs.has(slug)) return false;
  const user = await slugUser(db, slug);
  return user === undefined || user === forPost;
}
