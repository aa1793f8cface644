import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { BlogImage, BlogSummary } from "#contract/index.ts";
import { places } from "#src/api/http.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";
import { languageName, number, publicDate } from "#src/i18n/format.ts";
import { Icon } from "#src/ui/icon.tsx";
import { pictureAddress } from "#src/ui/markdown/addresses.ts";
import styles from "./card.module.css";

/** The date, the reading time, the language if it is not the reader's, and the author of a generated post. */
export function PostFacts({ post, likes = false }: { post: BlogSummary; likes?: boolean }) {
  const { t, i18n } = useTranslation("blog");
  const { publishedAt, minutes, language, generated } = post;
  const day = publishedAt === null ? "" : publicDate(publishedAt, i18n.language);
  return (
    <ul className={`facts ${styles.facts}`}>
      {publishedAt === null || day === "" ? null : (
        <li>
          <time dateTime={publishedAt} suppressHydrationWarning>
            {day}
          </time>
        </li>
      )}
      {minutes > 0 ? <li>{t("minutes", { count: minutes })}</li> : null}
      {baseLanguage(language) === baseLanguage(i18n.language) ? null : <li>{languageName(language, i18n.language)}</li>}
      {generated ? (
        <li className={styles.generated}>
          {<Icon name="sparkle" />}
          {t("generated")}
        </li>
      ) : null}
      {likes && post.likes > 0 ? (
        <li>
          <Icon name="like" />
          <span aria-hidden="true">{number(post.likes, i18n.language)}</span>
          <span className="visuallyHidden">{t("likes", { count: post.likes })}</span>
        </li>
      ) : null}
    </ul>
  );
}

/** Topics. Each links to the posts with this topic. */
export function Topics({ topics, lang }: { topics: readonly string[]; lang: string }) {
  const { t } = useTranslation("blog");
  if (topics.length === 0) return null;
  return (
    <ul className={`self-start size-0 strong ${styles.topics}`} aria-label={t("filters.topics")} lang={lang}>
      {topics.map((topic) => (
        <li key={topic}>
          <Link to="/blog" search={{ topics: topic }}>
            {topic}
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface PostCardProps {
  post: BlogSummary;
  /** The title's heading level, one below the heading above the card. */
  level: 2 | 3;
  /** "leading": large, for the newest post. "words": text only, for cards below another post. */
  look?: "row" | "leading" | "words";
}

export function PostCard({ post, level, look = "row" }: PostCardProps) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <article className={`${styles.card} ${styles[look]}`}>
      {look === "words" ? null : <Cover className={styles.cover} image={post.cover} decorative first={look === "leading"} />}
      <div className={styles.words}>
        <Topics topics={post.topics.slice(0, 3)} lang={post.language} />
        <Heading className={`size-3 anywhere ${styles.title}`} lang={post.language}>
          <Link to="/blog/$slug" params={{ slug: post.slug }}>
            {post.title}
          </Link>
        </Heading>
        {post.summary ? (
          <p className={`soft anywhere clamp ${styles.summary}`} lang={post.language}>
            {post.summary}
          </p>
        ) : null}
        <PostFacts post={post} likes />
      </div>
    </article>
  );
}

interface CoverProps {
  image: BlogImage | null;
  className: string | undefined;
  /** Empty alternative text, because the title beside the picture says enough. */
  decorative?: boolean;
  /** At the top of the page: the picture loads eagerly. */
  first?: boolean;
}

/** A post's picture if our server hosts it. A picture that the content security policy would block leaves no gap. */
export function Cover({ image, className, decorative = false, first = false }: CoverProps) {
  const address = pictureAddress(image?.url, places());
  if (image === null || !address?.own) return null;
  return (
    <img
      className={className}
      src={address.src}
      alt={decorative ? "" : image.alt}
      width={image.width}
      height={image.height}
      loading={first ? "eager" : "lazy"}
      fetchPriority={first ? "high" : "auto"}
      decoding="async"
    />
  );
}
