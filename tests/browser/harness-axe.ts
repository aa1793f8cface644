import axe from "axe-core";
import type { Page } from "playwright";
import * as v from "valibot";

const Place = v.object({ html: v.string(), failureSummary: v.optional(v.string(), "") });
const Findings = v.array(v.object({ id: v.string(), nodes: v.array(Place) }));

interface Looked {
  /** A CSS selector; default: the whole page. */
  part?: string;
  /** The tags of axe rules; default: all rules. */
  only?: readonly string[] | undefined;
}

/** The violations that axe-core finds in the current page, each with its first three places. */
export async function violations(page: Page, { part, only }: Looked = {}): Promise<string[]> {
  // Injects the script as text, because the content security policy blocks foreign scripts. Once per page load is
  // enough.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const where = part === undefined ? "document" : JSON.stringify(part);
  const options = JSON.stringify({ resultTypes: ["violations"], ...(only && { runOnly: only }) });
  const found = v.parse(Findings, await page.evaluate(`axe.run(${where}, ${options}).then(({ violations }) => violations)`));
  const places = (nodes: readonly v.InferOutput<typeof Place>[]) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`);
  return found.map(({ id, nodes }) => `${id}: ${places(nodes).join(" | ")}`);
}
