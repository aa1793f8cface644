export const feedHtmlTasks = {
  /** A post's Markdown as HTML for feeds. The renderer is loaded when the first one is asked for. */
  feedHtml: async ({ markdown, page }: { markdown: string; page: string }): Promise<string> => {
    const { feedHtml } = await import("./feed-html.ts");
    return feedHtml(markdown, page);
  },
};
