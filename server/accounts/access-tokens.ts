import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errors, jwtVerify, SignJWT } from "jose";
import * as v from "valibot";
import { errorCodeOf } from "../problem.ts";

/** 15 minutes, in seconds. */
export const accessTokenSeconds = 15 * 60;
/** How long a cookie lets an audio element play one audio, in seconds. */
export const mediaTokenSeconds = 12 * 60 * 60;

/** How long somebody may take at another provider's pages, in seconds. */
export const attemptSeconds = 10 * 60;

const issuer = "parlance";
const algorithm = "HS256";
const AccessClaims = v.object({ sub: v.string(), sid: v.string(), email: v.string(), exp: v.number() });
const MediaClaims = v.object({ sub: v.string(), sid: v.string(), transcription: v.string() });
const AttemptClaims = v.object({
  sub: v.string(),
  nonce: v.string(),
  verifier: v.string(),
  redirectUri: v.string(),
  answer: v.picklist(["window", "page"]),
});
/** A federated sign-in under way (`sub` is its state), and how the page wants to be told of its end. */
export type AttemptClaims = v.InferOutput<typeof AttemptClaims>;
export type AccessClaims = v.InferOutput<typeof AccessClaims>;
export type MediaClaims = v.InferOutput<typeof MediaClaims>;

/** Signed tokens. The `verify` functions give undefined for anything that is forged, expired or made for something else. */
export interface AccessTokens {
  sign(claims: { sub: string; sid: string; email: string }): Promise<string>;
  verify(token: string): Promise<AccessClaims | undefined>;
  /** For the audio of one transcription alone. */
  signMedia(claims: MediaClaims): Promise<string>;
  verifyMedia(token: string): Promise<MediaClaims | undefined>;
  signAttempt(claims: AttemptClaims): Promise<string>;
  verifyAttempt(token: string): Promise<AttemptClaims | undefined>;
}

/** @param now epoch milliseconds */
export function createAccessTokens(secret: Uint8Array, now: () => number): AccessTokens {
  const seconds = () => Math.floor(now() / 1000);
  const sign = (audience: string, lifetime: number, { sub, ...claims }: { sub: string } & Record<string, string>) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: algorithm, typ: "JWT" })
      .setSubject(sub)
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(seconds())
      .setExpirationTime(seconds() + lifetime)
      .sign(secret);
  const verify = async <Claims>(token: string, audience: string, schema: v.GenericSchema<unknown, Claims>) => {
    try {
      const options = { algorithms: [algorithm], issuer, audience, currentDate: new Date(now()) };
      const parsed = v.safeParse(schema, (await jwtVerify(token, secret, options)).payload);
      return parsed.success ? parsed.output : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  };
  return {
    sign: (claims) => sign("parlance", accessTokenSeconds, claims),
    verify: (token) => verify(token, "parlance", AccessClaims),
    signMedia: (claims) => sign("parlance-media", mediaTokenSeconds, claims),
    verifyMedia: (token) => verify(token, "parlance-media", MediaClaims),
    signAttempt: (claims) => sign("parlance-attempt", attemptSeconds, claims),
    verifyAttempt: (token) => verify(token, "parlance-attempt", AttemptClaims),
  };
}

/**
 * The secret that signs tokens: JWT_SECRET, or the one in the data folder, made at the first start (readable by this user alone).
 */
export async function loadSecret(configured: string | undefined, dataDir: string): Promise<Uint8Array> {
  if (configured !== undefined) return new TextEncoder().encode(configured);
  const path = join(dataDir, "jwt-secret");
  const made = randomBytes(48).toString("base64url");
  try {
    await writeFile(path, made, { flag: "wx", mode: 0o600, flush: true });
    return new TextEncoder().encode(made);
  } catch (error) {
    if (errorCodeOf(error) !== "EEXIST") throw error;
  }
  const kept = (await readFile(path, "utf8")).trim();
  if (kept.length < 32)
    throw new Error(`${path} is damaged: it must hold at least 32 characters. Delete it to have a new one made.`);
  return new TextEncoder().encode(kept);
}
