/** A heading counts as read when it has come to the upper third of the window, which it has after a press on its link. */
const line = () => innerHeight / 3;

/**
 * The section that is being read: the last one whose heading has passed the line. At the end of the page, where the last ones can't come so
 * far, it is the one that the address names, else the last.
 * @param ids of the sections' headings, in their order
 */
export function sectionInView(ids: readonly string[]): string | undefined {
  const topOf = (id: string) => document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
  const isAtEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
  if (isAtEnd) {
    const inWindow = ids.filter((id) => topOf(id) < innerHeight);
    return inWindow.find((id) => `#${id}` === location.hash && topOf(id) >= 0) ?? inWindow.at(-1);
  }
  return ids.findLast((id) => topOf(id) <= line()) ?? ids[0];
}
