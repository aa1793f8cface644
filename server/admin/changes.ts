import type { InferOutput } from "valibot";
import type { AuditState, SubscriptionGrant } from "#contract/index.ts";
import type { DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import type { OpenConnections } from "#server/session/open-connections.ts";
import { listLivingSessionIds, revokeAccessOf } from "#server/session/queries.ts";
import { endGrant, grantUntil, isGranted, isPaid } from "#server/subscription/grants.ts";
import type { Billing } from "#server/subscription/open-billing.ts";
import { findSubscription, isPremiumStatus, type SubscriptionRow } from "#server/subscription/queries.ts";
import { hasOtherSuperuser, updateUser } from "#server/users/queries.ts";
import type { User } from "#server/users/tables.ts";
import { audit, type Change } from "./audit.ts";
import { findPerson } from "./user.ts";

interface Parts extends DbParts {
  connections: OpenConnections;
  billing: Billing;
}

/**
 * Grants premium, changes or ends a grant, or cancels a subscription.
 * @throws Problem `notFound`, `conflict`, `badRequest`
 */
export function changeSubscription(parts: Parts, by: Change, change: InferOutput<typeof SubscriptionGrant>): Promise<void> {
  return change.plan === "premium" ? grant(parts, by, Date.parse(change.periodEnd)) : end(parts, by);
}

async function grant({ db, now, billing }: Parts, { actor, userId, reason }: Change, until: number): Promise<void> {
  const user = await findPerson(db, userId);
  // Nobody pays for a granted plan.
  await billing.closeCheckout(user);
  await db.transaction().execute(async (t) => {
    const before = await grantUntil(t, userId, until, now());
    const action = before === undefined ? "grantPremium" : "changeGrant";
    const after = { premium: true, until: new Date(until).toISOString() };
    await audit(t, { at: now(), action, actor, user, before: stateOf(before), after, reason });
  });
}

async function end(parts: Parts, by: Change): Promise<void> {
  const { db, now } = parts;
  const { actor, userId, reason } = by;
  const user = await findPerson(db, userId);
  const known = await findSubscription(db, userId);
  if (known !== undefined && isPaid(known)) return cancel(parts, by, user, known);
  await db.transaction().execute(async (t) => {
    const current = await findSubscription(t, userId);
    if (current === undefined || !isGranted(current)) throw new Problem("conflict", "This person has no subscription.");
    await endGrant(t, current, now());
    await audit(t, { at: now(), action: "endGrant", actor, user, before: stateOf(current), after: { premium: false }, reason });
  });
}

/** A paid subscription is cancelled at its provider, and stays active until the end of the period that is paid for. */
async function cancel({ db, now, billing }: Parts, { actor, reason }: Change, user: User, row: SubscriptionRow): Promise<void> {
  if (row.cancel_at_period_end === 1)
    throw new Problem("conflict", "This subscription is already cancelled. It runs until the end of its period.");
  if (row.provider !== billing.id) throw new Problem("conflict", "Its payment provider is no longer set up on this server.");
  await billing.cancel(user, row);
  const after = { ...stateOf(await findSubscription(db, user.id)), status: "cancelAtPeriodEnd" };
  await audit(db, { at: now(), action: "cancelSubscription", actor, user, before: stateOf(row), after, reason });
}

function stateOf(row: SubscriptionRow | undefined): AuditState {
  if (row === undefined) return { premium: false };
  const until = row.period_end === null ? null : new Date(row.period_end).toISOString();
  return { premium: isPremiumStatus(row.status), until, status: row.status };
}

/**
 * Ends all personal access tokens and sessions of a person; for the actor, all except the current one.
 * @throws Problem `notFound`
 */
export async function signOutEverywhere(
  { db, now, connections }: Parts,
  { actor, sessionId, userId, reason }: Change,
): Promise<void> {
  const user = await findPerson(db, userId);
  const kept = actor.id === userId ? sessionId : "";
  await db.transaction().execute(async (t) => {
    const open = await listLivingSessionIds(t, userId);
    await revokeAccessOf(t, userId, now(), kept);
    const before = { signIns: open.length };
    const after = { signIns: open.filter((id) => id === kept).length };
    await audit(t, { at: now(), action: "signOut", actor, user, before, after, reason });
  });
  await connections.recheck();
}

/**
 * Grants or revokes superuser rights; at least one superuser remains.
 * @throws Problem `notFound`, `conflict` for the last one
 */
export async function changeSuperuser(
  { db, now, connections }: Parts,
  { actor, userId, reason }: Change,
  superuser: boolean,
): Promise<void> {
  const user = await findPerson(db, userId);
  await db.transaction().execute(async (t) => {
    const has = (await findPerson(t, userId)).is_superuser === 1;
    if (has === superuser) return;
    if (!superuser && !(await hasOtherSuperuser(t, userId)))
      throw new Problem("conflict", "This is the only superuser. Make another account a superuser first.");
    await updateUser(t, userId, { is_superuser: superuser ? 1 : 0 });
    const action = superuser ? "giveSuperuser" : "takeSuperuser";
    await audit(t, { at: now(), action, actor, user, before: { superuser: has }, after: { superuser }, reason });
  });
  if (!superuser) await connections.recheck();
}
