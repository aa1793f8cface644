import { createAdminApi } from "#src/api/admin.ts";
import { call } from "#src/features/session/api.ts";

/** The admin panel's API, called with the session's access token. */
export const adminApi = createAdminApi(call);
