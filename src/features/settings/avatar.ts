import { apiBase } from "#src/api/http.ts";

/** The URL of a profile's picture. @param url as in the profile: a path of the API, or another server's URL */
export const avatarAddress = (url: string): string => (url.startsWith("/") ? `${apiBase}${url}` : url);
