import { type ComponentProps, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import Markdown, { defaultUrlTransform, type ExtraProps } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";

/** Feed readers may show this HTML without any protection: only text, links and pictures are kept, with absolute URLs. */
export function feedHtml(markdown: string, page: string): string {
  const whole = (url: string) => {
    const safe = defaultUrlTransform(url);
    return safe !== "" && URL.canParse(safe, page) ? new URL(safe, page).href : "";
  };
  const components = { img: LazyPicture };
  const options = { remarkPlugins: [remarkGfm], rehypePlugins: [rehypeSanitize], urlTransform: whole, components };
  return renderToStaticMarkup(createElement(Markdown, options, flattened(markdown)));
}

/** Maximum nesting of quotations and lists: the parser's time is quadratic in the depth. */
const maxNesting = 12;
const marker = /[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;

/** Removes the marks beyond the maximum nesting. */
function flattened(markdown: string): string {
  return markdown.replace(/^.+$/gm, (line) => {
    let [kept, end] = [0, 0];
    marker.lastIndex = 0;
    for (let nesting = 1; marker.test(line); nesting++) {
      end = marker.lastIndex;
      if (nesting <= maxNesting) kept = end;
    }
    return kept === end ? line : line.slice(0, kept) + line.slice(end);
  });
}

/** React emits preload links for eagerly loaded pictures, which don't belong into the text. */
function LazyPicture({ node: _, ...rest }: ComponentProps<"img"> & ExtraProps) {
  return createElement("img", { ...rest, loading: "lazy" });
}
