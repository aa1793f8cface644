import { useRouter } from "@tanstack/react-router";
import { type ComponentProps, createContext, memo, type ReactNode, useContext } from "react";
import { useTranslation } from "react-i18next";
import ReactMarkdown, { type Components, type ExtraProps, type Options } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { places } from "#src/api/http.ts";
import { linkAddress, pictureAddress } from "./addresses.ts";
import { headingsFromTwo } from "./headings.ts";
import styles from "./markdown.module.css";

type Of<Tag extends keyof React.JSX.IntrinsicElements> = ComponentProps<Tag> & ExtraProps;

const schema = {
  ...defaultSchema,
  // remark already prefixes the only ids, those of footnotes. A second prefix would break their links.
  clobberPrefix: "",
  protocols: { ...defaultSchema.protocols, href: ["http", "https", "mailto"], src: ["http", "https"] },
};
const remarkPlugins: Options["remarkPlugins"] = [remarkGfm];
const rehypePlugins: Options["rehypePlugins"] = [headingsFromTwo, [rehypeSanitize, schema]];

const InLink = createContext(false);

/** Internal links go through the router, without reloading the page. */
function TextLink({ node: _, href, children, ...rest }: Of<"a">) {
  const { t } = useTranslation("blog");
  const router = useRouter({ warn: false });
  const address = linkAddress(href, places());
  if (address === undefined) return <span>{children}</span>;
  const { href: to, external } = address;
  return (
    <a
      {...rest}
      href={to}
      className={external ? styles.external : undefined}
      rel={external ? "noopener noreferrer" : undefined}
      onClick={(event) => {
        const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
        if (!to.startsWith("/") || !plain || event.defaultPrevented || !router) return;
        event.preventDefault();
        router.history.push(to);
      }}
    >
      <InLink value={true}>{children}</InLink>
      {external ? <span className="visuallyHidden"> {t("markdown.external")}</span> : null}
    </a>
  );
}

function Picture({ src, alt = "", title }: Of<"img">) {
  const { t } = useTranslation("blog");
  const inLink = useContext(InLink);
  const address = pictureAddress(src, places());
  if (address === undefined) return <span>{alt}</span>;
  if (address.own) {
    return (
      <img
        className={styles.picture}
        src={address.src}
        alt={alt}
        title={title}
        width={address.size?.width}
        height={address.size?.height}
        loading="lazy"
        decoding="async"
      />
    );
  }
  const { host } = address;
  const text = alt ? t("markdown.namedPictureAt", { name: alt, host }) : t("markdown.pictureAt", { host });
  return inLink ? <span>{text}</span> : <TextLink href={address.src}>{text}</TextLink>;
}

/** Content wider than the text scrolls by itself, by touch and keyboard, so that the page does not scroll sideways. */
function Table({ node: _, ...rest }: Of<"table">) {
  const { t } = useTranslation("blog");
  return (
    <section className={styles.scroller} aria-label={t("markdown.table")} {...focusable}>
      <table {...rest} />
    </section>
  );
}

const focusable = { tabIndex: 0 };

function Code({ node: _, ...rest }: Of<"pre">) {
  return <pre {...rest} {...focusable} />;
}

function Task({ checked }: Of<"input">) {
  const { t } = useTranslation("blog");
  return (
    <input type="checkbox" checked={checked === true} disabled aria-label={t(checked ? "markdown.done" : "markdown.open")} />
  );
}

const components: Components = { a: TextLink, img: Picture, table: Table, pre: Code, input: Task };

interface MarkdownProps {
  /** CommonMark with GitHub's tables, task lists, strikethrough and footnotes. HTML is removed. */
  text: string;
  /** The text's language (BCP 47). */
  lang?: string | undefined;
}

/**
 * Renders an untrusted text safely: without HTML, with links only to the web and to email, and only with our own
 * pictures. The page's CSP would block others, which become a link with the host's name. A picture's size is in its
 * address: see `sizedPicture`. Its own labels are in the namespace `blog`, which the route's loader must load.
 */
export const Markdown = memo(function Markdown({ text, lang }: MarkdownProps) {
  const { t } = useTranslation("blog");
  return (
    <div className={styles.text} lang={lang}>
      {parsed(text, {
        clobberPrefix: "note-",
        footnoteLabel: t("markdown.footnotes"),
        footnoteLabelProperties: { className: ["sr-only"] },
        footnoteBackLabel: (index) => t("markdown.back", { number: index + 1 }),
      })}
    </div>
  );
});

/** Text that can't be parsed as Markdown (nested too deeply) is shown unchanged. */
function parsed(text: string, remarkRehypeOptions: Options["remarkRehypeOptions"]): ReactNode {
  try {
    return ReactMarkdown({ children: text, remarkPlugins, rehypePlugins, remarkRehypeOptions, components, skipHtml: true });
  } catch {
    return <p className={styles.asWritten}>{text}</p>;
  }
}
