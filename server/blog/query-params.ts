import * as v from "valibot";
import { blogPageSize, maxBlogPage, maxTopics, PostStatus, popularDefault, postSorts } from "#contract/index.ts";
import type { PostFilter, PostPage } from "./list-queries.ts";

const whole = (max: number, fallback: number) =>
  v.pipe(
    v.optional(v.string(), ""),
    v.regex(/^(|[1-9]\d{0,6})$/, `must be a whole number from 1 to ${max}`),
    v.transform((text) => (text === "" ? fallback : Number(text))),
    v.maxValue(max, `must be a whole number from 1 to ${max}`),
  );

/** Forms send fields that were not chosen as empty strings. */
const chosen = <Output>(schema: v.GenericSchema<string, Output>) =>
  v.optional(
    v.union([
      v.pipe(
        v.literal(""),
        v.transform(() => undefined),
      ),
      schema,
    ]),
  );

const Topics = v.pipe(
  v.optional(v.string(), ""),
  v.maxLength(800, "is too long"),
  v.transform((text) => [...new Set(text.split(",").flatMap((topic) => topic.trim().toLowerCase() || []))]),
  v.maxLength(maxTopics, `must be at most ${maxTopics} topics with commas between them`),
);

const Language = v.pipe(
  v.optional(v.string(), ""),
  v.regex(/^([a-z]{2,3}(-[A-Za-z]{2,4})?)?$/, "must be a language code such as en or pt-BR"),
  v.transform((code) => code || undefined),
);

const filters = {
  topics: Topics,
  language: Language,
  generated: v.pipe(
    v.optional(v.string(), ""),
    v.picklist(["", "true", "false"], "must be true or false"),
    v.transform((text) => (text === "" ? undefined : text === "true")),
  ),
};
const paging = { page: whole(1_000_000, 1), limit: whole(maxBlogPage, blogPageSize) };

interface ListQuery {
  filter: PostFilter;
  page: PostPage;
}

export const BlogQuery = v.pipe(
  v.object({ ...filters, ...paging, first: Language }),
  v.transform(
    ({ page, limit, first, ...filter }): ListQuery => ({
      filter: { ...filter, status: "published", search: "" },
      page: { page, limit, sort: "published", first },
    }),
  ),
);

export const AdminBlogQuery = v.pipe(
  v.object({
    ...filters,
    ...paging,
    status: chosen(v.picklist(PostStatus.options, "must be draft or published")),
    search: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, "is longer than 200 characters")), ""),
    sort: v.optional(v.picklist(postSorts, `must be one of ${postSorts.join(", ")}`), "updated"),
  }),
  v.transform(
    ({ page, limit, sort, ...filter }): ListQuery => ({
      filter: { ...filter, status: filter.status },
      page: { page, limit, sort },
    }),
  ),
);

export const PopularQuery = v.object({ limit: whole(maxBlogPage, popularDefault) });

export const FeedQuery = v.pick(v.object(filters), ["topics", "language"]);
