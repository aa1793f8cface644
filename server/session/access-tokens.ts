import { errors, jwtVerify, SignJWT } from "jose";
import * as v from "valibot";
import type { Keyring } from "./signing-keys.ts";
import {
  accessTokenSeconds,
  attemptSeconds,
  mediaTokenSeconds,
  readerTokenSeconds,
  sharedGrantSeconds,
} from "./token-lifetimes.ts";

const issuer = "parlance";
const algorithm = "HS256";
const AccessClaims = v.object({ sub: v.string(), sid: v.string(), email: v.string(), exp: v.number() });
const MediaClaims = v.object({ sub: v.string(), sid: v.string(), transcription: v.string() });
const SharedClaims = v.object({ sub: v.string(), lock: v.string() });
const ReaderClaims = v.object({ sub: v.string() });
const AttemptClaims = v.object({
  sub: v.string(),
  /** The provider's id. Tokens from before there were several providers have none. */
  provider: v.optional(v.string(), "google"),
  nonce: v.string(),
  verifier: v.string(),
  redirectUri: v.string(),
  answer: v.picklist(["window", "page"]),
  /** To sign in, to link this account to the signed-in one, or to confirm the user's identity. */
  purpose: v.picklist(["signIn", "link", "confirm"]),
  /** The session in which the attempt began; "" for a sign-in. */
  sid: v.string(),
});
/** Most verified access tokens kept in memory: one per active user, about 500 bytes each. */
const knownTokens = 10_000;

/** A federated sign-in in progress (`sub` is its state), and how to report its result to the page. */
export type AttemptClaims = v.InferOutput<typeof AttemptClaims>;
type AccessClaims = v.InferOutput<typeof AccessClaims>;
type MediaClaims = v.InferOutput<typeof MediaClaims>;
type SharedClaims = v.InferOutput<typeof SharedClaims>;

/** Signed tokens. The `verify` functions return undefined for a token that is forged, expired or of another kind. */
export interface AccessTokens {
  sign(claims: { sub: string; sid: string; email: string }): Promise<string>;
  verify(token: string): Promise<AccessClaims | undefined>;
  /** Grants access to the audio of one transcription only. */
  signMedia(claims: MediaClaims): Promise<string>;
  verifyMedia(token: string): Promise<MediaClaims | undefined>;
  /** Grants access to what a link has opened (`sub`: the link's id), until the link's lock changes. */
  signShared(claims: SharedClaims): Promise<string>;
  verifyShared(token: string): Promise<SharedClaims | undefined>;
  /** Identifies a reader of the blog, signed in or not. */
  signReader(claims: { sub: string }): Promise<string>;
  verifyReader(token: string): Promise<{ sub: string } | undefined>;
  signAttempt(claims: AttemptClaims): Promise<string>;
  verifyAttempt(token: string): Promise<AttemptClaims | undefined>;
}

/** @param now epoch milliseconds */
export function createAccessTokens(keys: Keyring, now: () => number): AccessTokens {
  const seconds = () => Math.floor(now() / 1000);
  const sign = async (audience: string, lifetime: number, { sub, ...claims }: { sub: string } & Record<string, string>) => {
    const { id, secret } = await keys.newest();
    return new SignJWT(claims)
      .setProtectedHeader({ alg: algorithm, typ: "JWT", kid: id })
      .setSubject(sub)
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(seconds())
      .setExpirationTime(seconds() + lifetime)
      .sign(secret);
  };
  const secretFor = async ({ kid }: { kid?: unknown }) => {
    const key = kid === undefined || typeof kid === "string" ? await keys.find(kid) : undefined;
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key.secret;
  };
  const verify = async <Claims>(token: string, audience: string, schema: v.GenericSchema<unknown, Claims>) => {
    try {
      const options = { algorithms: [algorithm], issuer, audience, currentDate: new Date(now()) };
      const { payload, protectedHeader } = await jwtVerify(token, secretFor, options);
      const parsed = v.safeParse(schema, payload);
      return parsed.success ? { claims: parsed.output, kid: protectedHeader.kid } : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  };
  /** Verified claims by token, the oldest first: a page sends the same token with each of its calls. */
  const known = new Map<string, { claims: AccessClaims; kid: string }>();
  const claimsOf = async <Claims>(token: string, audience: string, schema: v.GenericSchema<unknown, Claims>) =>
    (await verify(token, audience, schema))?.claims;
  const keep = (token: string, { claims, kid }: { claims: AccessClaims; kid: string | undefined }) => {
    // A token without a key id is from before keys had ids, and is valid as long as the first key.
    if (kid === undefined) return;
    const [oldest] = known.keys();
    if (known.size >= knownTokens && oldest !== undefined) known.delete(oldest);
    known.set(token, { claims, kid });
  };
  const verifyAccess = async (token: string) => {
    const seen = known.get(token);
    const isKnown = seen !== undefined && seen.claims.exp > seconds() && (await keys.find(seen.kid)) !== undefined;
    if (isKnown) return seen.claims;
    known.delete(token);
    const verified = await verify(token, "parlance", AccessClaims);
    if (verified !== undefined) keep(token, verified);
    return verified?.claims;
  };
  return {
    sign: (claims) => sign("parlance", accessTokenSeconds, claims),
    verify: verifyAccess,
    signMedia: (claims) => sign("parlance-media", mediaTokenSeconds, claims),
    verifyMedia: (token) => claimsOf(token, "parlance-media", MediaClaims),
    signShared: (claims) => sign("parlance-shared", sharedGrantSeconds, claims),
    verifyShared: (token) => claimsOf(token, "parlance-shared", SharedClaims),
    signReader: (claims) => sign("parlance-reader", readerTokenSeconds, claims),
    verifyReader: (token) => claimsOf(token, "parlance-reader", ReaderClaims),
    signAttempt: (claims) => sign("parlance-attempt", attemptSeconds, claims),
    verifyAttempt: (token) => claimsOf(token, "parlance-attempt", AttemptClaims),
  };
}
