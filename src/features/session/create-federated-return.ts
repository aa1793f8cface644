import { is } from "valibot";
import { createActor, fromPromise } from "xstate";
import { ErrorCode, type UserProfile } from "#contract/index.ts";
import { federatedReturnMachine } from "#machines/session/federated-return.ts";
import type { SignedIn } from "#src/api/session.ts";
import { inspected } from "#src/browser/inspection.ts";
import { decodeClaims } from "./jwt.ts";
import type { OAuthCallback } from "./oauth-callback.ts";

export interface FederatedReturnEnvironment {
  /** @returns the access token for the address's one-time code */
  exchange(code: string, signal: AbortSignal): Promise<string>;
  loadProfile(token: string, signal: AbortSignal): Promise<UserProfile>;
  /**
   * @returns the access token for this browser's cookie
   * @throws when there is none
   */
  askByCookie(signal: AbortSignal): Promise<string>;
  begin(answer: SignedIn): void;
  /** Shows a success message. */
  welcome(): void;
}

/** Creates and starts the OAuth callback. The caller stops it. */
export function createFederatedReturn(
  { token, code: oneTimeCode, error }: OAuthCallback,
  environment: FederatedReturnEnvironment,
) {
  const machine = federatedReturnMachine.provide({
    actors: {
      exchange: fromPromise(({ input, signal }) => environment.exchange(input.oneTimeCode, signal)),
      examine: fromPromise(async ({ input: { token, isExchanged }, signal }) => {
        const [user, isOurs] = await Promise.all([
          environment.loadProfile(token, signal),
          isExchanged || belongsToBrowser(token, environment, signal),
        ]);
        return { user, isOurs };
      }),
    },
    actions: {
      begin: (_, { token, user }) => environment.begin({ accessToken: token, user: user ?? undefined }),
    },
  });
  const readable = token !== null && isReadable(token);
  const code = is(ErrorCode, error) ? error : "providerFailed";
  const actor = createActor(machine, { ...inspected(), input: { token: readable ? token : null, oneTimeCode, code } });
  actor.on("signIn.completed", environment.welcome);
  return actor.start();
}

export type FederatedReturn = ReturnType<typeof createFederatedReturn>;

/** Whether a token in the address belongs to the same sign-in as this browser's cookie. */
async function belongsToBrowser(
  token: string,
  { askByCookie }: FederatedReturnEnvironment,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const own = sessionOf(await askByCookie(signal));
    return own !== undefined && own === sessionOf(token);
  } catch {
    return false;
  }
}

/** The id of the sign-in that a token belongs to. */
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
