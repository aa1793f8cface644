import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** What a processor of unified hands on from plugin to plugin, as far as reading Markdown asks for it. */
interface ReadingData {
  micromarkExtensions?: ReturnType<typeof gfm>[];
  fromMarkdownExtensions?: (ReturnType<typeof gfmFromMarkdown> | ReturnType<typeof gfmFromMarkdown>[number])[];
}

/** GitHub's Markdown, read alone: remark-gfm brings along what writes it, too, which is a tenth of all that shows a post. */
export function readGfm(this: { data(): object }): void {
  const data: ReadingData = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), gfm()];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), gfmFromMarkdown()];
}
