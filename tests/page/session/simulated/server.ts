import { makeToken } from "#tests/fixtures/token.ts";
import { ada } from "#tests/machines/session/harness.ts";

/** An answer; `cookie` is the cookie that it sets, null to delete it. */
export interface Answered {
  status: number;
  body: unknown;
  cookie?: string | null;
}

export interface Asked {
  path: string;
  cookie: string | null;
  bearer: string | null;
}

/** For how long the server answers a replaced refresh token with its successor, in ms. */
const graceMs = 10_000;

interface Family {
  revoked: boolean;
}
interface RefreshToken {
  family: Family;
  replacedAt: number | null;
  successor: string | null;
}

/** The server's session calls, with its rules for refresh tokens (server/session/refresh-tokens.ts). */
export class SimulatedServer {
  readonly #now: () => number;
  readonly #refreshTokens = new Map<string, RefreshToken>();
  readonly #accessTokens = new Map<string, Family>();
  #made = 0;
  /** Lifetime of access tokens in seconds. */
  accessSeconds = 360;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Rejects all access tokens made before, as after a change of the signing key. */
  refuseAccessTokens(): void {
    this.#accessTokens.clear();
  }

  handle({ path, cookie, bearer }: Asked): Answered {
    if (path === "/auth/login") return this.#open();
    if (path === "/auth/refresh") return this.#rotate(cookie);
    if (path === "/auth/logout") return this.#close(cookie);
    const family = bearer === null ? undefined : this.#accessTokens.get(bearer);
    if (family === undefined || family.revoked || expiryOf(bearer) <= this.#now()) return refused("unauthorized");
    return { status: 200, body: ada };
  }

  #open(): Answered {
    const family = { revoked: false };
    return { ...this.#grant(family), cookie: this.#newCookie(family) };
  }

  #rotate(cookie: string | null): Answered {
    const known = cookie === null ? undefined : this.#refreshTokens.get(cookie);
    if (known === undefined || known.family.revoked) return refused("unauthorized");
    if (known.replacedAt === null) {
      known.replacedAt = this.#now();
      known.successor = this.#newCookie(known.family);
      return { ...this.#grant(known.family), cookie: known.successor };
    }
    const successor = known.successor === null ? undefined : this.#refreshTokens.get(known.successor);
    if (this.#now() - known.replacedAt < graceMs && successor?.replacedAt === null) {
      return { ...this.#grant(known.family), cookie: known.successor };
    }
    known.family.revoked = true;
    return refused("sessionReused");
  }

  #close(cookie: string | null): Answered {
    const known = cookie === null ? undefined : this.#refreshTokens.get(cookie);
    if (known !== undefined) known.family.revoked = true;
    return { status: 204, body: null, cookie: null };
  }

  #grant(family: Family): Answered {
    const iat = Math.floor(this.#now() / 1000);
    this.#made += 1;
    const accessToken = makeToken({ sub: ada.id, iat, exp: iat + this.accessSeconds, number: this.#made });
    this.#accessTokens.set(accessToken, family);
    return { status: 200, body: { accessToken } };
  }

  #newCookie(family: Family): string {
    this.#made += 1;
    const cookie = `refresh-${this.#made}`;
    this.#refreshTokens.set(cookie, { family, replacedAt: null, successor: null });
    return cookie;
  }
}

function refused(code: string): Answered {
  return { status: 401, body: { message: "Your session has ended. Sign in again.", code } };
}

/** Epoch ms. */
function expiryOf(token: string | null): number {
  const payload: unknown = JSON.parse(Buffer.from(token?.split(".")[1] ?? "", "base64url").toString() || "{}");
  return typeof payload === "object" && payload !== null && "exp" in payload ? Number(payload.exp) * 1000 : 0;
}
