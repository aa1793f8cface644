import * as v from "valibot";
import type { ProviderConfig } from "#server/session/provider.ts";
import { Issuer, listed, refuse, setting, settingOr, Text, type ValuesOf } from "./values.ts";

const Name = v.pipe(Text, v.maxLength(40, "is longer than 40 characters"));
/** The id of the provider whose variables have no id in them: its addresses are the specification's (section 7). */
const firstProvider = "google";

const isId = (id: string) => /^[a-z][a-z\d]{0,19}$/.test(id) && id !== firstProvider;
/** Several ids: they are part of addresses and of variables' names. */
const Ids = v.pipe(
  Text,
  v.check(
    (text) => listed(text).every(isId) && new Set(listed(text)).size === listed(text).length,
    "must be different short names of lowercase letters and digits, separated by commas, such as work,school (not google, which is the provider without a name)",
  ),
  v.transform(listed),
);

/** Variables of sign-in with other providers (server/config/config.ts). */
export const providerVariables = {
  OIDC_CLIENT_ID: setting(
    Text,
    "The client id of this server at Google or another OpenID Connect provider. It turns on this sign-in.",
  ),
  OIDC_CLIENT_SECRET: setting(Text, "The client secret. Public clients have none."),
  OIDC_ISSUER: settingOr(
    Issuer,
    "https://accounts.google.com",
    "The provider's issuer URL. Register <API origin>/auth/google/callback there as the redirect URI.",
  ),
  OIDC_NAME: setting(Name, "The name of the provider on the button. Default: Google, or the host of the issuer."),
  OIDC_PROVIDERS: settingOr(
    Ids,
    "",
    "More providers, such as work,school. Each needs OIDC_WORK_ISSUER and OIDC_WORK_CLIENT_ID, and may have OIDC_WORK_CLIENT_SECRET and OIDC_WORK_NAME. Its redirect URI is <API origin>/auth/providers/work/callback.",
  ),
};

type Variables = ValuesOf<typeof providerVariables>;
/** The variables of another provider, without their prefix. */
const More = v.object({ ISSUER: Issuer, CLIENT_ID: Text, CLIENT_SECRET: v.optional(Text), NAME: v.optional(Name) });

/**
 * @param env every variable: those of more providers have the providers' ids in their names
 * @returns in the order of their buttons; none: sign-in without another provider
 * @throws ConfigError
 */
export function providersOf(e: Variables, env: Readonly<Record<string, string>>): readonly ProviderConfig[] {
  const first = firstOf(e);
  const more = e.OIDC_PROVIDERS.map((id) => moreOf(id, env));
  const all = first === undefined ? more : [first, ...more];
  const issuers = new Set(all.map(({ issuer }) => issuer));
  if (issuers.size < all.length)
    return refuse("OIDC_PROVIDERS: two providers have the same issuer, so their accounts would be the same.");
  return all;
}

function firstOf(e: Variables): ProviderConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: named } = e;
  if (clientId === undefined) {
    if (clientSecret === undefined) return undefined;
    return refuse("OIDC_CLIENT_ID: is missing, and OIDC_CLIENT_SECRET needs it.");
  }
  const { hostname } = new URL(issuer);
  const name = named ?? (hostname === "accounts.google.com" ? "Google" : hostname);
  return { id: firstProvider, issuer, clientId, clientSecret, name };
}

function moreOf(id: string, env: Readonly<Record<string, string>>): ProviderConfig {
  const prefix = `OIDC_${id.toUpperCase()}_`;
  const own = Object.keys(More.entries).map((name) => [name, env[prefix + name]]);
  const parsed = v.safeParse(More, Object.fromEntries(own.filter(([, value]) => value !== undefined)));
  if (!parsed.success) {
    const [issue] = parsed.issues;
    return refuse(`${prefix}${v.getDotPath(issue)}: ${issue.input === undefined ? "is missing" : issue.message}.`);
  }
  const { ISSUER: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, NAME: named } = parsed.output;
  return { id, issuer, clientId, clientSecret, name: named ?? new URL(issuer).hostname };
}
