import axe from "axe-core";

/** Colours follow another theme at once: a busy machine draws the frames of a transition late. */
const still = new CSSStyleSheet();
still.replaceSync("*, *::before, *::after { transition: none !important; }");

/** The rules about colours, for another theme of a page that has been looked at already. */
export const colourRules = ["color-contrast", "link-in-text-block"];

/**
 * What axe-core finds in the page that is shown: each violation with the first places where it stands.
 * @param only these of axe's rules; default: all
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
