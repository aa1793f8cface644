import * as v from "valibot";
import type { AuditEntry } from "#contract/index.ts";
import { adminApi } from "./actor.ts";
import { type AdminList, keepAdminList } from "./list-actor.ts";
import { PageNumber, type RawAdminSearch } from "./search.ts";

const LogSearch = v.object({ page: PageNumber });
type LogQuery = v.InferOutput<typeof LogSearch>;

const list = keepAdminList<AuditEntry, LogQuery>(({ page }, signal) => adminApi.audit(page, signal));
export type LogList = AdminList<AuditEntry, LogQuery>;

export const openLog = (search: RawAdminSearch): LogList => list.show(v.parse(LogSearch, search));
export const closeLog = (): void => list.close();
