import { createAdminApi } from "../api/admin.ts";
import { call } from "./api.ts";

/** The calls of the admin panel, with the session's access token. */
export const adminApi = createAdminApi(call);
