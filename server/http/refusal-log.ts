import type { Context } from "hono";
import type { ErrorCode } from "#contract/index.ts";
import type { Problem } from "#server/errors/problem.ts";
import type { Log } from "#server/log/log.ts";
import type { AppEnv } from "./env.ts";
import { routeOf } from "./request-log.ts";

/** Refusals that concern a person and may be signs of an attack. */
const suspicious = new Set<ErrorCode>([
  "unauthorized",
  "adminRequired",
  "forbidden",
  "badCredentials",
  "wrongPassword",
  "accountBlocked",
  "sessionReused",
  "linkInvalid",
  "freshSignInRequired",
  "urlRefused",
  "tooManyRequests",
  "tooManyAtOnce",
]);

/** Logs who was refused what: accounts by their id, as far as they are known. */
export function logRefusal(c: Context<AppEnv>, log: Log, { code }: Problem): void {
  if (!suspicious.has(code)) return;
  const user: { id: string } | undefined = c.get("user");
  log.info("refused", { code, route: routeOf(c), account: user?.id ?? c.get("triedAccount") ?? null });
}
