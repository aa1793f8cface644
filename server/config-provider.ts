import * as v from "valibot";
import { Issuer, Text } from "./config-values.ts";
import type { ProviderConfig } from "./session/provider.ts";

/** Variables of sign-in with another provider (server/config.ts). */
export const providerVariables = {
  OIDC_CLIENT_ID: v.pipe(
    v.optional(Text),
    v.description("Switches sign-in with another provider on: this server's client id there (OpenID Connect)."),
  ),
  OIDC_CLIENT_SECRET: v.pipe(v.optional(Text), v.description("Its secret; none for a public client.")),
  OIDC_ISSUER: v.pipe(
    v.optional(Issuer, "https://accounts.google.com"),
    v.description("The provider. Its redirect address is <API origin>/auth/google/callback."),
  ),
  OIDC_NAME: v.pipe(
    v.optional(v.pipe(Text, v.maxLength(40, "is longer than 40 characters"))),
    v.description("The provider's name on the button. Default: Google, or the issuer's host."),
  ),
};

const Variables = v.object(providerVariables);

/**
 * @param refuse is given what is missing, a sentence
 * @returns undefined: sign-in by password only
 */
export function providerOf(e: v.InferOutput<typeof Variables>, refuse: (sentence: string) => never): ProviderConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: named } = e;
  if (clientId === undefined) {
    if (clientSecret === undefined) return undefined;
    return refuse("OIDC_CLIENT_ID: is missing, and OIDC_CLIENT_SECRET is of no use without it.");
  }
  const { hostname } = new URL(issuer);
  return { issuer, clientId, clientSecret, name: named ?? (hostname === "accounts.google.com" ? "Google" : hostname) };
}
