export const imagePath = "/blog/images/";

const address = /(^|[\s("'<=])(?:https?:\/\/[\w.:[\]-]{1,260})?\/blog\/images\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/g;

/** Ids of our pictures in a text (or the JSON of a cover); some may not exist. */
export function imageIdsIn(text: string): string[] {
  return [...new Set([...text.matchAll(address)].map(([, , id = ""]) => id))];
}

/** The stored form: without the host under which it was written, because the host may change before it is read. */
export function withoutHost(text: string): string {
  return text.replace(address, `$1${imagePath}$2`);
}

/**
 * Completes the addresses of our pictures in a text with the API's current origin.
 * @param api undefined: unknown; the text is returned unchanged
 */
export function withImagesAt(text: string, api: string | undefined): string {
  return api === undefined ? text : text.replace(address, `$1${api}${imagePath}$2`);
}
