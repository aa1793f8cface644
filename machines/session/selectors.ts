import type { SnapshotFrom } from "xstate";
import type { sessionMachine } from "./machine.ts";
import { lifeLeft } from "./rules.ts";

type SessionSnapshot = SnapshotFrom<typeof sessionMachine>;

export const selectIsSignedOut = (snapshot: SessionSnapshot): boolean => snapshot.matches({ token: "signedOut" });
export const selectIsExpired = (snapshot: SessionSnapshot): boolean => snapshot.matches({ token: "expired" });
export const selectUserId = (snapshot: SessionSnapshot): string | null => snapshot.context.token?.userId ?? null;
/** The token, expired or not. */
export const selectToken = (snapshot: SessionSnapshot): string | undefined => snapshot.context.token?.value;
/** The token, if it has not expired by the current time. */
export const selectLiveToken = (snapshot: SessionSnapshot): string | undefined =>
  lifeLeft(snapshot.context) > 0 ? snapshot.context.token?.value : undefined;
/** null until the profile is known to belong to the token: the persisted one may be the previous user's. */
export const selectUser = ({ context: { token, user } }: SessionSnapshot) => (user?.id === token?.userId ? user : null);
export const selectIsSuperuser = (snapshot: SessionSnapshot): boolean => selectUser(snapshot)?.isSuperUser === true;
/** The profile could not be loaded. */
export const selectIsProfileMissing = (snapshot: SessionSnapshot): boolean => snapshot.matches({ profile: "missing" });
/** The known profile is being read again. */
export const selectIsRereading = (snapshot: SessionSnapshot): boolean => snapshot.hasTag("rereading");
/** The server has sent the known profile since the page was loaded. */
export const selectIsConfirmed = (snapshot: SessionSnapshot): boolean => snapshot.hasTag("confirmed");
/** A refresh is in flight. */
export const selectIsRefreshing = (snapshot: SessionSnapshot): boolean => snapshot.matches({ refresh: "refreshing" });
/** The session ended because the refresh got no answer, not because the server refused it. */
export const selectIsUnanswered = ({ context: { refresh, token } }: SessionSnapshot): boolean =>
  token === null && refresh.outcome === "failed" && refresh.unanswered > 0;
/** A refresh got no answer and is retried later. */
export const selectIsWaitingForNetwork = (snapshot: SessionSnapshot): boolean =>
  snapshot.matches({ refresh: "waitingForNetwork" });
