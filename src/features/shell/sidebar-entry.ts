/** The entry of the pages that have none of their own: where their way back leads. */
const entriesOfPages: Readonly<Record<string, string>> = {
  transcription: "/dashboard",
  "file-processing": "/dashboard",
  trash: "/dashboard",
  "shared-with-me": "/dashboard",
  "file-upload-config": "/speech-to-text",
  "url-transcription-config": "/speech-to-text",
};

/** The address of the entry to which a page belongs. The blog's administration has two addresses, and one entry. */
export function entryOf(path: string): string {
  if (/^\/(blog\/admin|admin\/blog)/.test(path)) return "/admin/blog";
  const [, first = ""] = path.split("/");
  return entriesOfPages[first] ?? `/${first}`;
}
