/** The sidebar entry of pages without an own entry: the page to which their back link leads. */
const entriesOfPages: Readonly<Record<string, string>> = {
  transcription: "/dashboard",
  "file-processing": "/dashboard",
  trash: "/dashboard",
  "shared-with-me": "/dashboard",
  "file-upload-config": "/speech-to-text",
  "url-transcription-config": "/speech-to-text",
};

/** The address of the sidebar entry for a page. The blog's administration has two addresses but one entry. */
export function entryOf(path: string): string {
  if (/^\/(blog\/admin|admin\/blog)/.test(path)) return "/admin/blog";
  const [, first = ""] = path.split("/");
  return entriesOfPages[first] ?? `/${first}`;
}
