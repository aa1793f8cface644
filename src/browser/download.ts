let last = "";

/** Downloads an address as a file, without leaving the page. */
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
  // Revoked only with the next download, because Safari still reads from the URL for a while.
  URL.revokeObjectURL(last);
  last = link.href;
}
