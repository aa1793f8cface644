import { type ComponentProps, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import Markdown, { defaultUrlTransform, type ExtraProps } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";

/** Feed readers run what they are given in all kinds of places: nothing but text, links and pictures is left, with whole addresses. */
export function feedHtml(markdown: string, page: string): string {
  const whole = (url: string) => {
    const safe = defaultUrlTransform(url);
    return safe !== "" && URL.canParse(safe, page) ? new URL(safe, page).href : "";
  };
  const components = { img: LazyPicture };
  const options = { remarkPlugins: [remarkGfm], rehypePlugins: [rehypeSanitize], urlTransform: whole, components };
  return renderToStaticMarkup(createElement(Markdown, options, flattened(markdown)));
}

/** Quotations and lists inside one another, at most: what is deeper costs the parser the square of its depth. */
const maxNesting = 12;
const marker = /[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;

/** Without the marks of what is nested deeper than anybody reads. */
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

/** React asks for other pictures beforehand by an element that no text has. */
function LazyPicture({ node: _, ...rest }: ComponentProps<"img"> & ExtraProps) {
  return createElement("img", { ...rest, loading: "lazy" });
}
