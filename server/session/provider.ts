import * as oidc from "openid-client";
import * as v from "valibot";
import { Email } from "#contract/index.ts";

/** A provider that people may sign in with (OpenID Connect). */
export interface ProviderConfig {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  /** As people know it. */
  name: string;
}

/** What the provider says of itself is asked for again after this long (milliseconds). */
const metadataMs = 60 * 60_000;
/** Seconds that it may take for one answer. */
const timeoutSeconds = 10;

/** What has to be the same when a person comes back from the provider as when they left for it. */
export interface Attempt {
  state: string;
  nonce: string;
  /** PKCE: the secret whose hash went along. */
  verifier: string;
  /** Where the provider sends the person back to. */
  redirectUri: string;
}

/** Who the provider says it is. */
export interface Identity {
  issuer: string;
  subject: string;
  /** As ours: trimmed, in lower case. */
  email: string | undefined;
  /** Whether the provider knows that the e-mail is this person's. */
  emailVerified: boolean;
  name: string;
  /** When the person last proved there who they are, epoch ms; undefined when the provider does not say. */
  authenticatedAt: number | undefined;
}

export interface BeginOptions {
  /** Whoever is signed in there has to prove once more who they are. Default: false. */
  fresh?: boolean;
}

/** A provider of accounts: OpenID Connect, authorization code flow with PKCE, state and nonce. */
export interface Provider {
  readonly name: string;
  /** @returns the provider's page to send the person to, and what to remember meanwhile @throws when the provider can't be reached */
  begin(redirectUri: string, options?: BeginOptions): Promise<{ url: URL; attempt: Attempt }>;
  /**
   * @param query of the address that the person came back to
   * @throws when it does not belong to this attempt, was used before, is a refusal, or the provider can't be reached
   */
  finish(attempt: Attempt, query: URLSearchParams): Promise<Identity>;
}

/**
 * OpenID Connect Core 1.0, section 3.1.2.1: sign in anew, and say when that was. Some providers do what the first says, some what the
 * second says, and some tell the time only when it is asked for as a claim (section 5.5).
 */
const askedAnew = {
  prompt: "login",
  max_age: "0",
  claims: JSON.stringify({ id_token: { auth_time: { essential: true } } }),
};

const Claims = v.object({
  email: v.fallback(v.optional(Email), undefined),
  // Some providers write it as a word.
  email_verified: v.fallback(v.optional(v.union([v.boolean(), v.literal("true")])), false),
  name: v.fallback(v.optional(v.pipe(v.string(), v.trim()), ""), ""),
});

export function createProvider(config: ProviderConfig): Provider {
  const discover = discoverOnce(config);
  return {
    name: config.name,
    begin: async (redirectUri, { fresh = false } = {}) => {
      const attempt: Attempt = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
        redirectUri,
      };
      const url = oidc.buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri,
        scope: "openid email profile",
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: "S256",
        ...(fresh && askedAnew),
      });
      return { url, attempt };
    },
    finish: async ({ state, nonce, verifier, redirectUri }, query) => {
      const provider = await discover();
      const tokens = await oidc.authorizationCodeGrant(provider, new URL(`${redirectUri}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error("The provider sent no ID token.");
      // The specification leaves it to the provider which of the two tells the e-mail.
      const elsewhere = claims.email === undefined && provider.serverMetadata().userinfo_endpoint !== undefined;
      const about = elsewhere ? await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub) : claims;
      const { email, email_verified, name } = v.parse(Claims, about);
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email,
        emailVerified: email_verified === true || email_verified === "true",
        name: name.slice(0, 100),
        authenticatedAt: claims.auth_time === undefined ? undefined : claims.auth_time * 1000,
      };
    },
  };
}

/** Asks the provider for its addresses and keys at the first need; whoever asks meanwhile shares the answer, a failure is not kept. */
function discoverOnce({ issuer, clientId, clientSecret }: ProviderConfig): () => Promise<oidc.Configuration> {
  const server = new URL(issuer);
  const options: oidc.DiscoveryRequestOptions = {
    timeout: timeoutSeconds,
    // TLS vouches for the ID token already; its signature is checked all the same. Without TLS is this machine alone (config.ts).
    execute: [oidc.enableNonRepudiationChecks, ...(server.protocol === "http:" ? [oidc.allowInsecureRequests] : [])],
  };
  let known: { configuration: Promise<oidc.Configuration>; until: number } | undefined;
  return () => {
    if (known !== undefined && performance.now() < known.until) return known.configuration;
    const configuration = oidc.discovery(server, clientId, {}, proveClient(clientSecret), options);
    known = { configuration, until: performance.now() + metadataMs };
    configuration.catch(() => {
      known = undefined;
    });
    return configuration;
  };
}

/** Providers that don't say how a client proves who it is want the secret in the header (OpenID Connect Discovery 1.0, section 3). */
function proveClient(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const inBody = oidc.ClientSecretPost(secret);
  const inHeader = oidc.ClientSecretBasic(secret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    (methods.includes("client_secret_basic") ? inHeader : inBody)(server, ...rest);
  };
}
