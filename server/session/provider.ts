import * as oidc from "openid-client";
import * as v from "valibot";
import { Email } from "#contract/index.ts";

/** An OpenID Connect provider for federated sign-in. */
export interface ProviderConfig {
  /** Part of the provider's paths here ("google" in /auth/google, "work" in /auth/providers/work). */
  id: string;
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  /** The name shown to users. */
  name: string;
}

/** How long the provider's metadata are cached (milliseconds). */
const metadataMs = 60 * 60_000;
/** Timeout of a request to the provider, in seconds. */
const timeoutSeconds = 10;

/** Values that must match between the redirect to the provider and its callback. */
interface Attempt {
  state: string;
  nonce: string;
  /** The PKCE code verifier. */
  verifier: string;
  /** The callback URL. */
  redirectUri: string;
}

/** The user's identity, according to the provider. */
export interface Identity {
  issuer: string;
  subject: string;
  /** Normalized like our own addresses: trimmed, in lower case. */
  email: string | undefined;
  /** Whether the provider has verified the e-mail. */
  emailVerified: boolean;
  name: string;
  /** When the user last authenticated at the provider, epoch ms; undefined when the provider does not say. */
  authenticatedAt: number | undefined;
}

interface BeginOptions {
  /** Requires a new authentication even if the user is signed in at the provider. Default: false. */
  fresh?: boolean;
}

/** An OpenID Connect client: authorization code flow with PKCE, state and nonce. */
export interface Provider {
  readonly id: string;
  /** Together with its subject, identifies an account. */
  readonly issuer: string;
  /** The name shown to users. */
  readonly name: string;
  /**
   * @returns the URL to redirect to, and what to store until the callback
   * @throws when the provider can't be reached
   */
  begin(redirectUri: string, options?: BeginOptions): Promise<{ url: URL; attempt: Attempt }>;
  /**
   * @param query of the callback URL
   * @throws when the query does not belong to this attempt, was used before, or is a refusal, or when the provider
   *   can't be reached
   */
  finish(attempt: Attempt, query: URLSearchParams): Promise<Identity>;
}

/**
 * Requests a new authentication and its time (OpenID Connect Core 1.0, section 3.1.2.1). Providers differ in which of
 * the two parameters they honor, and some return the time only when it is requested as a claim (section 5.5).
 */
const promptsForLogin = {
  prompt: "login",
  max_age: "0",
  claims: JSON.stringify({ id_token: { auth_time: { essential: true } } }),
};

const Claims = v.object({
  email: v.fallback(v.optional(Email), undefined),
  // Some providers send a string instead of a boolean.
  email_verified: v.fallback(v.optional(v.union([v.boolean(), v.literal("true")])), false),
  name: v.fallback(v.optional(v.pipe(v.string(), v.trim()), ""), ""),
});

/** Providers by id, in the order of their buttons. */
export type Providers = ReadonlyMap<string, Provider>;

export function openProviders(configs: readonly ProviderConfig[]): Providers {
  return new Map(configs.map((config) => [config.id, createProvider(config)]));
}

function createProvider(config: ProviderConfig): Provider {
  const discover = discoverOnce(config);
  return {
    id: config.id,
    issuer: config.issuer,
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
        ...(fresh && promptsForLogin),
      });
      return { url, attempt };
    },
    finish: async ({ state, nonce, verifier, redirectUri }, query) => {
      // RFC 9207, also for providers that do not announce it: this rejects the answer of another provider.
      if ((query.get("iss") ?? config.issuer) !== config.issuer) throw new Error("The answer came from another provider.");
      const provider = await discover();
      const tokens = await oidc.authorizationCodeGrant(provider, new URL(`${redirectUri}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error("The provider sent no ID token.");
      // The specification lets the provider choose whether the ID token or the userinfo endpoint has the e-mail.
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

/** Fetches the provider's metadata at first use; concurrent callers share the request, a failure is not cached. */
function discoverOnce({ issuer, clientId, clientSecret }: ProviderConfig): () => Promise<oidc.Configuration> {
  const server = new URL(issuer);
  const options: oidc.DiscoveryRequestOptions = {
    timeout: timeoutSeconds,
    // TLS authenticates the ID token; its signature is checked as well. Only loopback may be without TLS (config.ts).
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

/** The default client authentication is the secret in the header (OpenID Connect Discovery 1.0, section 3). */
function proveClient(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const inBody = oidc.ClientSecretPost(secret);
  const inHeader = oidc.ClientSecretBasic(secret);
  return (server, ...args) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    (methods.includes("client_secret_basic") ? inHeader : inBody)(server, ...args);
  };
}
