import { Hono } from "hono";
import type { InferOutput } from "valibot";
import {
  ConfirmEmail,
  ForgotPassword,
  type MessageAnswer,
  ResendConfirmation,
  ResetPassword,
} from "../../src/api/contract/index.ts";
import { letterTo, sendConfirmation } from "../accounts/account-letters.ts";
import { issueToken, redeemToken } from "../accounts/account-tokens.ts";
import { hashPassword } from "../accounts/passwords.ts";
import { endSignIns } from "../accounts/sign-ins.ts";
import { mailLimit, redeemLimit } from "../accounts/throttle.ts";
import { findUserByEmail } from "../accounts/users.ts";
import type { AppEnv, Deps } from "../deps.ts";
import { readJson } from "../http/body.ts";
import { addressOf } from "../http/session.ts";
import { describeError } from "../log.ts";
import { Problem } from "../problem.ts";

const say = (message: string): InferOutput<typeof MessageAnswer> => ({ message });

/** What people do by the links in their mails. No answer tells whether an address is known here: not by its words, not by its time. */
export function accountMailRoutes(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const later = (work: Promise<void>) =>
    void work.catch((error: unknown) => deps.log.error("account mail", describeError(error)));

  app.post("/auth/forgot-password", async (c) => {
    const { email, language } = await readJson(c, ForgotPassword);
    await countMail(deps, email, addressOf(c, deps.config.trustProxy));
    later(sendReset(deps, email, language));
    return c.json(say("If there is an account with this address, a mail is on its way."), 202);
  });

  app.post("/auth/resend-confirmation", async (c) => {
    const { email, language } = await readJson(c, ResendConfirmation);
    await countMail(deps, email, addressOf(c, deps.config.trustProxy));
    later(sendAgain(deps, email, language));
    return c.json(say("If this address waits to be confirmed, a mail is on its way."), 202);
  });

  app.post("/auth/reset-password", async (c) => {
    const { token, password } = await readJson(c, ResetPassword);
    await deps.throttle.count(redeemLimit, addressOf(c, deps.config.trustProxy));
    // Before the transaction: it takes long on purpose.
    const hash = await hashPassword(password);
    const { userId } = await deps.db.transaction().execute(async (t) => {
      const redeemed = await redeemToken(t, token, ["reset"], deps.now());
      // Who could read the mail has the address.
      const change = { password_hash: hash, email_verified: 1 };
      await t.updateTable("users").set(change).where("id", "=", redeemed.userId).where("email", "=", redeemed.email).execute();
      await endSignIns(t, redeemed.userId, deps.now());
      return redeemed;
    });
    await letterTo(deps, userId, "changed", { path: "/forgot-password" });
    return c.json(say("The password was changed. Sign in with the new one."));
  });

  app.post("/auth/confirm-email", async (c) => {
    const { token } = await readJson(c, ConfirmEmail);
    await deps.throttle.count(redeemLimit, addressOf(c, deps.config.trustProxy));
    await confirm(deps, token);
    return c.json(say("The e-mail address is confirmed."));
  });
  return app;
}

/** @throws Problem `tooManyRequests` */
async function countMail({ throttle }: Deps, email: string, address: string): Promise<void> {
  await throttle.count(mailLimit, email);
  await throttle.count(redeemLimit, address);
}

async function sendReset(deps: Deps, email: string, language: InferOutput<typeof ForgotPassword>["language"]): Promise<void> {
  const user = await findUserByEmail(deps.db, email);
  if (user === undefined) return;
  const token = await issueToken(deps.db, { userId: user.id, purpose: "reset", email, now: deps.now() });
  await letterTo(deps, user.id, "reset", { path: `/auth/reset-password#token=${token}`, language });
}

async function sendAgain(deps: Deps, email: string, language: InferOutput<typeof ForgotPassword>["language"]): Promise<void> {
  const user = await findUserByEmail(deps.db, email);
  if (user !== undefined && user.email_verified === 0) await sendConfirmation(deps, user, language);
}

/** Confirms an address, or moves the account to it. @throws Problem `linkInvalid`, `emailTaken` */
async function confirm(deps: Deps, token: string): Promise<void> {
  const { db, now } = deps;
  const moved = await db.transaction().execute(async (t) => {
    const { userId, purpose, email } = await redeemToken(t, token, ["confirm", "newEmail"], now());
    const user = await t.selectFrom("users").select("email").where("id", "=", userId).executeTakeFirst();
    if (user === undefined || (purpose === "confirm" && user.email !== email)) throw new Problem("linkInvalid");
    if (user.email !== email && (await findUserByEmail(t, email)) !== undefined) throw new Problem("emailTaken");
    await t.updateTable("users").set({ email, email_verified: 1 }).where("id", "=", userId).execute();
    return user.email === email ? undefined : { userId, before: user.email, email };
  });
  if (moved === undefined) return;
  await letterTo(deps, moved.userId, "movedEmail", { path: "/", recipient: moved.before, email: moved.email });
}
