let last = "";

/** Saves what an address gives as a file: it never leads away from the page. */
export function downloadFrom(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}

/** Saves a file, like a download link. @param name with its extension */
export function downloadFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Safari still reads from the object URL for a while.
  URL.revokeObjectURL(last);
  last = link.href;
}
