import type { Answered, SimulatedServer } from "./server.ts";
import type { Dice, SimulatedTime } from "./time.ts";

/** The probability of each fault of a request, 0 to 1. */
interface Weather {
  lost: number;
  hangs: number;
  doubled: number;
  refused: number;
  /** The slowest trip in one direction, in ms. */
  slowest: number;
}

const weathers = {
  good: { lost: 0, hangs: 0, doubled: 0, refused: 0, slowest: 150 },
  poor: { lost: 0.15, hangs: 0.08, doubled: 0.1, refused: 0.08, slowest: 3_000 },
  awful: { lost: 0.3, hangs: 0.2, doubled: 0.2, refused: 0.2, slowest: 9_000 },
  /** The server can't refresh tokens; everything else works. */
  failing: { lost: 0, hangs: 0, doubled: 0, refused: 0, slowest: 150 },
  offline: { lost: 1, hangs: 0, doubled: 0, refused: 0, slowest: 50 },
} as const satisfies Record<string, Weather>;
export type WeatherName = keyof typeof weathers;

/** The time in ms after which a browser closes a silent connection. */
const hangMs = 90_000;

/**
 * A request's result: the answer's status, `unreadable` for a success without the expected content, or the reason why
 * there was no answer.
 */
type Outcome = number | "unreadable" | "network" | "aborted";

export interface Exchange {
  tab: number;
  path: string;
  /** In ms of the computer's awake time. */
  begunAt: number;
  endedAt: number | null;
  outcome: Outcome | null;
}

/** The network between one browser's tabs and its server; the dice decide its faults. */
export class SimulatedNetwork {
  readonly #time: SimulatedTime;
  readonly #dice: Dice;
  readonly #server: SimulatedServer;
  readonly #connections = new Set<(why: unknown) => void>();
  readonly exchanges: Exchange[] = [];
  weather: WeatherName = "good";
  /** The refresh cookie, shared by all tabs. */
  cookie: string | null = null;

  constructor(time: SimulatedTime, dice: Dice, server: SimulatedServer) {
    [this.#time, this.#dice, this.#server] = [time, dice, server];
  }

  /** Breaks all connections, as the computer's sleep does. */
  cutAll(): void {
    for (const cut of [...this.#connections]) cut(new TypeError("Failed to fetch"));
  }

  /** `fetch` of one tab. */
  fetchOf(tab: number): typeof fetch {
    return (input, init) => this.#exchange(tab, new URL(String(input), "http://x").pathname, init ?? {});
  }

  async #exchange(tab: number, path: string, init: RequestInit): Promise<Response> {
    const exchange: Exchange = { tab, path, begunAt: this.#time.elapsed, endedAt: null, outcome: null };
    this.exchanges.push(exchange);
    const end = (outcome: Outcome) => {
      exchange.endedAt = this.#time.elapsed;
      exchange.outcome = outcome;
    };
    const { promise, resolve, reject } = Promise.withResolvers<Answered>();
    const cut = (why: unknown) => reject(why);
    const abort = () => cut(init.signal?.reason);
    this.#connections.add(cut);
    init.signal?.addEventListener("abort", abort, { once: true });
    this.#send(path, new Headers(init.headers).get("Authorization")).then(resolve, reject);
    try {
      const answered = await promise;
      if (answered.cookie !== undefined) this.cookie = answered.cookie;
      end(makesSense(path, answered) ? answered.status : "unreadable");
      return toResponse(answered);
    } catch (error) {
      end(init.signal?.aborted ? "aborted" : "network");
      throw error;
    } finally {
      this.#connections.delete(cut);
      init.signal?.removeEventListener("abort", abort);
    }
  }

  /** @throws TypeError as `fetch` does when no answer comes */
  async #send(path: string, authorization: string | null): Promise<Answered> {
    const { lost, hangs, doubled, refused, slowest } = weathers[this.weather];
    const dice = this.#dice;
    const way = () => this.#time.after(dice.chance(0.8) ? dice.between(5, 150) : dice.between(5, slowest));
    const asked = { path, cookie: this.cookie, bearer: authorization?.slice("Bearer ".length) ?? null };
    const [isLostThere, isLostBack, isHanging] = [dice.chance(lost / 2), dice.chance(lost / 2), dice.chance(hangs)];
    const isDoubled = dice.chance(doubled);
    const isFailing = this.weather === "failing" && path === "/auth/refresh";
    const fault = isFailing || dice.chance(refused) ? failure(dice) : undefined;
    await way();
    if (isLostThere) return this.#noAnswer(isHanging);
    // A proxy may refuse the request before or after the server has handled it.
    const isAsked = fault === undefined || (!isFailing && dice.chance(0.3));
    const answered = isAsked ? this.#server.handle(asked) : undefined;
    if (isAsked && isDoubled) void way().then(() => this.#server.handle(asked));
    await way();
    if (isLostBack || isHanging) return this.#noAnswer(isHanging);
    return fault ?? answered ?? failure(dice);
  }

  async #noAnswer(isHanging: boolean): Promise<never> {
    if (isHanging) await this.#time.after(hangMs);
    throw new TypeError("Failed to fetch");
  }
}

/** An answer that does not come from the server. */
function failure(dice: Dice): Answered {
  return dice.pick([
    { status: 429, body: { message: "Too many requests.", code: "tooManyRequests" } },
    { status: 500, body: { message: "Something went wrong.", code: "internal" } },
    { status: 502, body: "<html>Bad gateway</html>" },
    { status: 503, body: "" },
    { status: 200, body: "<html>Sign in to this network</html>" },
    { status: 200, body: { accessToken: 7 } },
  ]);
}

/** Whether a successful refresh or sign-in has a token. */
function makesSense(path: string, { status, body }: Answered): boolean {
  const needsToken = path === "/auth/refresh" || path === "/auth/login";
  if (status >= 300 || !needsToken) return true;
  return typeof body === "object" && body !== null && "accessToken" in body && typeof body.accessToken === "string";
}

function toResponse({ status, body }: Answered): Response {
  if (status === 204) return new Response(null, { status });
  return new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
}
