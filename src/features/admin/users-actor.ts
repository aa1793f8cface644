import * as v from "valibot";
import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { type AdminUser, type AdminUserRow, userPlans, userSorts } from "#contract/index.ts";
import { adminUserMachine, type UserChange } from "#machines/admin/user.ts";
import type { UsersQuery } from "#src/api/admin.ts";
import { ApiError } from "#src/api/http.ts";
import { inspected } from "#src/browser/inspection.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { toast } from "#src/browser/toasts.ts";
import { adminApi } from "./actor.ts";
import { type AdminList, keepAdminList } from "./list-actor.ts";
import { adminSearch, choice, PageNumber, type RawAdminSearch, SearchText } from "./search.ts";

const UsersSearch = v.object({ page: PageNumber, search: SearchText, plan: choice(userPlans), sort: choice(userSorts) });
/** The query of an address. */
export const usersQuery = (address: unknown): UsersQuery => v.parse(UsersSearch, address);
const UserSearch = v.object({ user: SearchText });

const list = keepAdminList<AdminUserRow, UsersQuery>((query, signal) => adminApi.users(query, signal));
export type UsersList = AdminList<AdminUserRow, UsersQuery>;

/** The end of a day in the superuser's time zone, in the server's format. */
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}

/**
 * @param wanted null: delete the account
 * @returns the changed account; null when deleted
 */
async function change(id: string, wanted: UserChange | null, signal: AbortSignal): Promise<AdminUser | null> {
  if (wanted === null) throw new ApiError(0, "badRequest");
  const { action, until, reason } = wanted;
  switch (action) {
    case "grantPremium":
    case "changeGrant":
      return adminApi.changeSubscription(id, { plan: "premium", periodEnd: endOfDay(until), reason }, signal);
    case "endGrant":
    case "cancelSubscription":
      return adminApi.changeSubscription(id, { plan: "free", reason }, signal);
    case "signOut":
      return adminApi.signOut(id, reason, signal);
    case "confirmUser":
      return adminApi.confirmUser(id, reason, signal);
    case "blockUser":
    case "unblockUser":
      return adminApi.blockUser(id, { blocked: action === "blockUser", reason }, signal);
    case "deleteUser":
      await adminApi.deleteUser(id, reason, signal);
      return null;
    default:
      return adminApi.changeSuperuser(id, { superuser: action === "giveSuperuser", reason }, signal);
  }
}

const machine = adminUserMachine.provide({
  actors: {
    fetchUser: fromPromise(({ input, signal }) => adminApi.user(input.id, signal)),
    changeUser: fromPromise(({ input, signal }) => change(input.id, input.change, signal)),
  },
});
export type OpenUser = ActorRefFrom<typeof machine>;

let open: { id: string; actor: OpenUser } | undefined;

function openUser(id: string): OpenUser {
  if (open?.id === id) return open.actor;
  open?.actor.stop();
  const actor = createActor(machine, { ...inspected(), input: { id, now: Date.now } });
  actor.on("user.changed", ({ action }) => {
    toast({ kind: "success", key: `admin:done.${action}` });
    list.refresh();
    if (action === "deleteUser") void pageRouter().navigate({ to: "/admin", search: adminSearch("users") });
  });
  open = { id, actor: actor.start() };
  return actor;
}

function closeUser(): void {
  open?.actor.stop();
  open = undefined;
}

/**
 * Called when the section is opened. Shows the user named in the address, or else the list. The list stays loaded while
 * a user is shown.
 */
export function openUsers(search: RawAdminSearch): { user: OpenUser; list: null } | { user: null; list: UsersList } {
  const { user } = v.parse(UserSearch, search);
  if (user !== "") return { user: openUser(user), list: null };
  closeUser();
  return { user: null, list: list.show(usersQuery(search)) };
}

export function closeUsers(): void {
  closeUser();
  list.close();
}
