let last = "";

/** Hands a file to the person, as a link to it would. @param name with its extension */
export function downloadFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Safari still reads from the last one for a while.
  URL.revokeObjectURL(last);
  last = link.href;
}
