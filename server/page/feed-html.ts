import { type ComponentProps, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import Markdown, { defaultUrlTransform, type ExtraProps } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { flattened } from "#server/blog/tame-markdown.ts";

/**
 * Feed readers may show this HTML without any protection: only text, links and pictures are kept, with absolute URLs.
 */
export function feedHtml(markdown: string, page: string): string {
  const whole = (url: string) => {
    const safe = defaultUrlTransform(url);
    return safe !== "" && URL.canParse(safe, page) ? new URL(safe, page).href : "";
  };
  const components = { img: LazyPicture };
  const options = { remarkPlugins: [remarkGfm], rehypePlugins: [rehypeSanitize], urlTransform: whole, components };
  return renderToStaticMarkup(createElement(Markdown, options, flattened(markdown)));
}

/** React emits preload links for eagerly loaded pictures, which don't belong into the text. */
function LazyPicture({ node: _, ...rest }: ComponentProps<"img"> & ExtraProps) {
  return createElement("img", { ...rest, loading: "lazy" });
}
