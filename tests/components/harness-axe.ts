import axe from "axe-core";

/** Disables transitions, because a busy machine draws the frames of a theme change late. */
const still = new CSSStyleSheet();
still.replaceSync("*, *::before, *::after { transition: none !important; }");

/** The rules about colours, to check another theme of a page that all rules have checked. */
export const colourRules = ["color-contrast", "link-in-text-block"];

/**
 * The violations that axe-core finds in the current page, each with its first three places.
 * @param only the axe rules to check; default: all
 */
export async function violations(only?: readonly string[]): Promise<string[]> {
  document.adoptedStyleSheets = [still];
  await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  const rules = only && { runOnly: { type: "rule" as const, values: [...only] } };
  const found = await axe.run(document, { resultTypes: ["violations"], ...rules });
  document.adoptedStyleSheets = [];
  return found.violations.map(({ id, nodes }) => {
    const places = nodes.slice(0, 3).map(({ html, failureSummary = "" }) => `${html.slice(0, 160)} ${failureSummary}`);
    return `${id}: ${places.join(" | ")}`;
  });
}
