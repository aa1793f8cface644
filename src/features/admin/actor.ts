import { createAdminApi } from "#src/api/admin.ts";
import { call } from "#src/features/session/api.ts";

/** The calls of the admin panel, with the session's access token. */
export const adminApi = createAdminApi(call);
