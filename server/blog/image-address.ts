/** The API's path of a blog picture. */
export const imagePath = "/blog/images/";

const address = /(^|[\s("'<=])(?:https?:\/\/[\w.:[\]-]{1,260})?\/blog\/images\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/g;

/** Ids of our pictures in a text (or the JSON of a cover); some may not exist. */
export function imageIdsIn(text: string): string[] {
  return [...new Set([...text.matchAll(address)].map(([, , id = ""]) => id))];
}

/**
 * Rewrites the addresses of our pictures in a text to the API's current origin: the text may have been written under another name
 * of this server. @param api undefined: unknown; the text is returned unchanged
 */
export function withImagesAt(text: string, api: string | undefined): string {
  return api === undefined ? text : text.replace(address, `$1${api}${imagePath}$2`);
}
