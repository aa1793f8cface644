/** Files that were dropped on a page that has no list of them; the page that has takes them when it opens. */
let waiting: File[] = [];

export function handOver(files: readonly File[]): void {
  waiting = [...waiting, ...files];
}

/** Each is taken once. */
export function takeHandedOver(): File[] {
  const taken = waiting;
  waiting = [];
  return taken;
}
