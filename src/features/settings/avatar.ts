import { apiBase } from "#src/api/http.ts";

/** Where a profile's picture is. @param url as the profile has it: a path of the API, or the address of another server */
export const avatarAddress = (url: string): string => (url.startsWith("/") ? `${apiBase}${url}` : url);
