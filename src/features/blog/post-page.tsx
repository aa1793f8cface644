import { ClientOnly, Link, useLoaderData } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { BlogPost } from "#contract/index.ts";
import { selectIsPostMissing, selectPost, selectPostFailure } from "#machines/blog/post.ts";
import { selectUser } from "#machines/session/selectors.ts";
import { openSession } from "#src/features/session/actor.ts";
import { publicDate } from "#src/i18n/format.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { claimOwedFocus } from "#src/ui/focus.ts";
import { useHydration } from "#src/ui/hydration.ts";
import { Icon } from "#src/ui/icon.tsx";
import { Markdown } from "#src/ui/markdown/markdown.tsx";
import { LoadingScreen, MessageScreen } from "#src/ui/screens.tsx";
import { Cover, PostCard, PostFacts, Topics } from "./card.tsx";
import { isBeginning } from "./choices.ts";
import styles from "./post.module.css";
import { copyAddress, type OpenPost, share } from "./post-actor.ts";
import { Reactions } from "./reactions.tsx";

/** One post of the blog. */
export function PostPage() {
  useHydration();
  const { t } = useTranslation("blog");
  const open = useLoaderData({ from: "/_public/blog/$slug" });
  const post = useSelector(open.actor, selectPost);
  const missing = useSelector(open.actor, selectIsPostMissing);
  const failure = useSelector(open.actor, selectPostFailure);
  if (missing) {
    return <MessageScreen title={t("post.missing")} text={t("post.missingText")} action={<ToList look="primary" />} />;
  }
  if (post !== null) return <Post open={open} post={post} />;
  if (failure === null) return <LoadingScreen message={t("post.loading")} />;
  return (
    <MessageScreen
      title={t("post.failed")}
      text={t([`errors.${failure}`, "errors.internal"])}
      action={
        <>
          <Button look="primary" icon="retry" onClick={() => open.actor.send({ type: "reload.requested" })}>
            {t("again")}
          </Button>
          <ToList look="secondary" />
        </>
      }
    />
  );
}

function ToList({ look }: { look: "primary" | "secondary" | "quiet" }) {
  const { t } = useTranslation("blog");
  return (
    <Link className={buttonClass(look)} to="/blog">
      <Icon name="arrowBack" />
      {t("post.back")}
    </Link>
  );
}

function Post({ open, post }: { open: OpenPost; post: BlogPost }) {
  return (
    <div className={`stack gap-5 fill ${styles.page}`}>
      <nav className={`row apart ${styles.ways}`}>
        <ToList look="quiet" />
        <ClientOnly>
          <EditLink id={post.id} />
        </ClientOnly>
      </nav>
      <article className={styles.article}>
        <Head post={post} />
        <Cover className={styles.cover} image={post.cover} first />
        <Markdown text={post.content} lang={post.language} />
        <footer className={`row apart bottom gap-5 ${styles.end}`}>
          <Reactions open={open} />
          <Share title={post.title} />
        </footer>
      </article>
      <Related posts={post.related} />
    </div>
  );
}

function Head({ post }: { post: BlogPost }) {
  const { t } = useTranslation("blog");
  const { title, summary, content, topics, language, author, generated } = post;
  return (
    <header className="stack">
      <Topics topics={topics} lang={language} />
      <h1 ref={claimOwedFocus} tabIndex={-1} lang={language}>
        {title}
      </h1>
      {summary && !isBeginning(summary, content) ? (
        <p className={`soft size-3 reading anywhere ${styles.summary}`} lang={language}>
          {summary}
        </p>
      ) : null}
      <div className="facts">
        {author ? <span>{t("post.by", { author })}</span> : null}
        <PostFacts post={post} />
        <Updated post={post} />
      </div>
      {generated ? <p className={styles.generated}>{t("generatedText")}</p> : null}
    </header>
  );
}

/** The date of the last change, shown when it differs from the publication date. */
function Updated({ post: { publishedAt, updatedAt } }: { post: BlogPost }) {
  const { t, i18n } = useTranslation("blog");
  const day = updatedAt === null ? "" : publicDate(updatedAt, i18n.language);
  if (updatedAt === null || day === "" || (publishedAt !== null && day === publicDate(publishedAt, i18n.language))) return null;
  return (
    <time dateTime={updatedAt} suppressHydrationWarning>
      {t("post.updated", { date: day })}
    </time>
  );
}

function EditLink({ id }: { id: string }) {
  const { t } = useTranslation("blog");
  const isSuperuser = useSelector(openSession(), (snapshot) => selectUser(snapshot)?.isSuperUser === true);
  if (!isSuperuser) return null;
  return (
    <Link className={buttonClass("secondary")} to="/blog/admin/editor" search={{ id }}>
      <Icon name="edit" />
      {t("post.edit")}
    </Link>
  );
}

const canShare = () => typeof navigator.share === "function";

function Share({ title }: { title: string }) {
  const { t } = useTranslation("blog");
  return (
    <div className="needsScript row">
      <Button icon="copy" onClick={() => void copyAddress()}>
        {t("share.copy")}
      </Button>
      {/* Comes last: the server's HTML can't know whether the browser can share, and the button must not move anything
           when it appears. */}
      <ClientOnly>
        <ShareButton title={title} />
      </ClientOnly>
    </div>
  );
}

/** The share button, if the browser can share. */
function ShareButton({ title }: { title: string }) {
  const { t } = useTranslation("blog");
  return (
    canShare() && (
      <Button icon="share" onClick={() => void share(title)}>
        {t("share.share")}
      </Button>
    )
  );
}

function Related({ posts }: { posts: BlogPost["related"] }) {
  const { t } = useTranslation("blog");
  if (posts.length === 0) return null;
  return (
    <section className={styles.related} aria-labelledby="related">
      <h2 className="size-4" id="related">
        {t("post.related")}
      </h2>
      <ul>
        {posts.map((post) => (
          <li key={post.id}>
            <PostCard post={post} level={3} look="words" />
          </li>
        ))}
      </ul>
    </section>
  );
}
