import { useSelector } from "@xstate/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PostsQuery } from "#contract/index.ts";
import { selectList, selectQuery } from "#machines/blog-admin/posts.ts";
import { useNarrow } from "#src/browser/narrow.ts";
import { languageName } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { SelectField, TextField } from "#src/ui/field.tsx";
import { useBlogAdminRoutes } from "./admin-routes.ts";
import styles from "./posts.module.css";
import { type PostsAdmin, readQuery, writeQuery } from "./posts-actor.ts";

const statuses = ["all", "draft", "published"] as const;
const origins = ["all", "yes", "no"] as const;

export const isNarrowed = ({ search, status, topic, language, generated }: PostsQuery): boolean =>
  search !== "" || status !== "all" || topic !== "" || language !== "" || generated !== "all";

/** Changes the address, which the list follows. */
function useNarrowPosts() {
  return useNarrow({ to: useBlogAdminRoutes().posts, read: readQuery, write: writeQuery });
}

/** Search and filters, stored in the address. */
export function PostsFilters({ posts }: { posts: PostsAdmin }) {
  const { t } = useTranslation("blog-admin");
  const { status, generated } = useSelector(posts, selectQuery);
  const narrow = useNarrowPosts();
  return (
    <search className={styles.filters}>
      <SearchField posts={posts} />
      <SelectField
        label={t("list.status")}
        value={status}
        onChange={({ target }) => narrow({ status: statuses.find((one) => one === target.value) ?? "all" })}
      >
        {statuses.map((one) => (
          <option key={one} value={one}>
            {t(`list.statuses.${one}`)}
          </option>
        ))}
      </SelectField>
      <TopicFilter posts={posts} />
      <LanguageFilter posts={posts} />
      <SelectField
        label={t("list.origin")}
        value={generated}
        onChange={({ target }) => narrow({ generated: origins.find((one) => one === target.value) ?? "all" })}
      >
        {origins.map((one) => (
          <option key={one} value={one}>
            {t(`list.origins.${one}`)}
          </option>
        ))}
      </SelectField>
    </search>
  );
}

function SearchField({ posts }: { posts: PostsAdmin }) {
  const { t } = useTranslation("blog-admin");
  const { search } = useSelector(posts, selectQuery);
  const narrow = useNarrowPosts();
  // While typing, the address lags behind.
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextField
      type="search"
      label={t("list.search")}
      autoComplete="off"
      maxLength={200}
      value={typed ?? search}
      onChange={({ target }) => {
        setTyped(target.value);
        narrow({ search: target.value });
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

function TopicFilter({ posts }: { posts: PostsAdmin }) {
  const { t } = useTranslation("blog-admin");
  const { topic } = useSelector(posts, selectQuery);
  const list = useSelector(posts, selectList);
  const narrow = useNarrowPosts();
  const known = list?.facets?.topics.map((one) => one.topic) ?? [];
  const topics = topic === "" || known.includes(topic) ? known : [topic, ...known];
  return (
    <SelectField label={t("list.topic")} value={topic} onChange={({ target }) => narrow({ topic: target.value })}>
      <option value="">{t("list.allTopics")}</option>
      {topics.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </SelectField>
  );
}

function LanguageFilter({ posts }: { posts: PostsAdmin }) {
  const { t, i18n } = useTranslation("blog-admin");
  const { language } = useSelector(posts, selectQuery);
  const list = useSelector(posts, selectList);
  const narrow = useNarrowPosts();
  const known = list?.facets?.languages.map((one) => one.language) ?? [];
  const languages = language === "" || known.includes(language) ? known : [language, ...known];
  return (
    <SelectField label={t("list.language")} value={language} onChange={({ target }) => narrow({ language: target.value })}>
      <option value="">{t("list.allLanguages")}</option>
      {languages.map((one) => (
        <option key={one} value={one}>
          {languageName(one, i18n.language)}
        </option>
      ))}
    </SelectField>
  );
}

/** It disappears when no filter is left: the search field takes the focus. */
export function ClearFilters() {
  const { t } = useTranslation("blog-admin");
  const narrow = useNarrowPosts();
  return (
    <Button
      icon="close"
      onClick={({ currentTarget }) => {
        currentTarget.closest("main")?.querySelector<HTMLElement>("input[type=search]")?.focus();
        narrow({ search: "", status: "all", topic: "", language: "", generated: "all" });
      }}
    >
      {t("list.clear")}
    </Button>
  );
}
