/** Files dropped on a page without a list of files. The upload page takes them when it opens. */
let waiting: File[] = [];

export function handOver(files: readonly File[]): void {
  waiting = [...waiting, ...files];
}

/** Returns the files, each only once. */
export function takeHandedOver(): File[] {
  const taken = waiting;
  waiting = [];
  return taken;
}
