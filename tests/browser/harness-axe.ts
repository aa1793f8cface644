import axe from "axe-core";
import type { Page } from "playwright";
import * as v from "valibot";

const Place = v.object({ html: v.string(), failureSummary: v.optional(v.string(), "") });
const Findings = v.array(v.object({ id: v.string(), nodes: v.array(Place) }));

interface Looked {
  /** A selector of CSS; default: the whole page. */
  part?: string;
  /** axe's tags; default: all rules. */
  only?: readonly string[] | undefined;
}

/** What axe-core has to say about what is shown: each violation with the first places where it stands. */
export async function violations(page: Page, { part, only }: Looked = {}): Promise<string[]> {
  // As a text: the content security policy lets the page itself load no script from elsewhere. Once is enough until it is loaded anew.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const where = part === undefined ? "document" : JSON.stringify(part);
  const options = JSON.stringify({ resultTypes: ["violations"], ...(only && { runOnly: only }) });
  const found = v.parse(Findings, await page.evaluate(`axe.run(${where}, ${options}).then(({ violations }) => violations)`));
  const places = (nodes: readonly v.InferOutput<typeof Place>[]) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`);
  return found.map(({ id, nodes }) => `${id}: ${places(nodes).join(" | ")}`);
}
