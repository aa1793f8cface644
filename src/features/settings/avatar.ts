import { apiBase } from "#src/api/http.ts";

/** The absolute URL of a profile's picture. @param url from the profile: a path of the API, or another server's URL */
export const avatarAddress = (url: string): string => (url.startsWith("/") ? `${apiBase}${url}` : url);
