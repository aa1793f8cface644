import { undefined as nothing } from "valibot";
import {
  AdminMetrics,
  AdminUser,
  type AdminUserRow,
  AdminUsersAnswer,
  AuditAnswer,
  type AuditEntry,
  type BlockChange,
  type ListPage,
  type Pagination,
  type SubscriptionGrant,
  type SuperuserChange,
  type userPlans,
  type userSorts,
} from "#contract/index.ts";
import type { Call } from "./http.ts";

export interface UsersQuery {
  page: number;
  search: string;
  plan: (typeof userPlans)[number];
  sort: (typeof userSorts)[number];
}

/** An answer's rows, in the format of the panel's lists. */
export function listPageOf<Row>(rows: readonly Row[], { page, totalPages, total }: Pagination): ListPage<Row> {
  return { rows, page, totalPages, total };
}

/** The admin panel's calls. All of them throw ApiError; 401 `adminRequired` for users who are no superusers. */
export function createAdminApi(call: Call) {
  const person = (id: string) => `/admin/users/${encodeURIComponent(id)}`;
  return {
    metrics: (days: number, signal?: AbortSignal) => call(`/admin/metrics?days=${days}`, { schema: AdminMetrics, signal }),
    async users({ page, ...query }: UsersQuery, signal?: AbortSignal): Promise<ListPage<AdminUserRow>> {
      const asked = new URLSearchParams({ page: String(page), ...query });
      const { users, pagination } = await call(`/admin/users?${asked}`, { schema: AdminUsersAnswer, signal });
      return listPageOf(users, pagination);
    },
    user: (id: string, signal?: AbortSignal) => call(person(id), { schema: AdminUser, signal }),
    changeSubscription: (id: string, json: SubscriptionGrant, signal?: AbortSignal) =>
      call(`${person(id)}/subscription`, { method: "PATCH", json, schema: AdminUser, signal }),
    changeSuperuser: (id: string, json: SuperuserChange, signal?: AbortSignal) =>
      call(person(id), { method: "PATCH", json, schema: AdminUser, signal }),
    signOut: (id: string, reason: string, signal?: AbortSignal) =>
      call(`${person(id)}/sign-out`, { json: { reason }, schema: AdminUser, signal }),
    confirmUser: (id: string, reason: string, signal?: AbortSignal) =>
      call(`${person(id)}/confirm`, { json: { reason }, schema: AdminUser, signal }),
    blockUser: (id: string, json: BlockChange, signal?: AbortSignal) =>
      call(`${person(id)}/blocked`, { method: "PATCH", json, schema: AdminUser, signal }),
    async deleteUser(id: string, reason: string, signal?: AbortSignal): Promise<void> {
      await call(person(id), { method: "DELETE", json: { reason }, schema: nothing(), signal });
    },
    async audit(page: number, signal?: AbortSignal): Promise<ListPage<AuditEntry>> {
      const { entries, pagination } = await call(`/admin/audit?page=${page}`, { schema: AuditAnswer, signal });
      return listPageOf(entries, pagination);
    },
  };
}
