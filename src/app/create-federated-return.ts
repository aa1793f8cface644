import { is } from "valibot";
import { createActor, fromPromise } from "xstate";
import { federatedReturnMachine } from "../../machines/federated-return.ts";
import type { SignedIn } from "../api/auth.ts";
import { ErrorCode, type UserProfile } from "../api/contract/index.ts";
import type { Arrival } from "./arrival.ts";
import { inspected } from "./inspection.ts";
import { decodeClaims } from "./session-token.ts";

export interface FederatedReturnWorld {
  loadProfile(token: string, signal: AbortSignal): Promise<UserProfile>;
  /** @returns the access token of whoever this browser's cookie stands for @throws when there is none */
  askByCookie(signal: AbortSignal): Promise<string>;
  begin(answer: SignedIn): void;
  /** Says that it worked. */
  welcome(): void;
}

/** Coming back from another provider, started. The caller stops it. */
export function createFederatedReturn({ token, error }: Arrival, world: FederatedReturnWorld) {
  const machine = federatedReturnMachine.provide({
    actors: {
      examine: fromPromise(async ({ input, signal }) => {
        const [user, isOurs] = await Promise.all([
          world.loadProfile(input.token, signal),
          world
            .askByCookie(signal)
            .then((own) => sessionOf(own) !== undefined && sessionOf(own) === sessionOf(input.token))
            .catch(() => false),
        ]);
        return { user, isOurs };
      }),
    },
    actions: {
      begin: (_, { token, user }) => world.begin({ accessToken: token, user: user ?? undefined }),
    },
  });
  const readable = token !== null && isReadable(token);
  const code = is(ErrorCode, error) ? error : "providerFailed";
  const actor = createActor(machine, { ...inspected(), input: { token: readable ? token : null, code } });
  actor.on("signedIn", world.welcome);
  return actor.start();
}

export type FederatedReturn = ReturnType<typeof createFederatedReturn>;

/** The sign-in that a token belongs to. */
function sessionOf(token: string): string | undefined {
  return decodeClaims(token).sid;
}

function isReadable(token: string): boolean {
  try {
    decodeClaims(token);
    return true;
  } catch {
    return false;
  }
}
