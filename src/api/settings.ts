import { undefined as nothing, parse } from "valibot";
import {
  AcceptedProfile,
  type AccountDeletion,
  ActiveSessionsAnswer,
  type EmailChange,
  MessageAnswer,
  type NoticeSettings,
  NoticesAnswer,
  type PasswordChange,
  type ProfileChange,
  RecentSignInsAnswer,
  SignInMethodsAnswer,
  StorageUse,
  type Unlinking,
  type UserProfile,
} from "#contract/index.ts";
import { ApiError, type Call, type Send } from "./http.ts";

const me = "/users/me";
/** The path of the download, valid after `allowExport`. */
export const exportPath = `${me}/export`;

/** The calls about account settings, export and deletion. All of them throw ApiError. */
export function createSettingsApi(call: Call, send: Send) {
  const remove = async (path: string, signal?: AbortSignal, json?: unknown) =>
    call(path, { method: "DELETE", schema: nothing(), signal, ...(json !== undefined && { json }) });
  return {
    change: (json: ProfileChange, signal?: AbortSignal) => call(me, { method: "PATCH", json, schema: AcceptedProfile, signal }),
    /** Uploads the raw picture. */
    async keepPicture(picture: Blob, signal: AbortSignal): Promise<UserProfile> {
      const headers = { "Content-Type": picture.type };
      const answer = await send(`${me}/avatar`, { method: "PUT", body: picture, headers, signal });
      return parse(AcceptedProfile, await answer.json());
    },
    removePicture: (signal?: AbortSignal) => call(`${me}/avatar`, { method: "DELETE", schema: AcceptedProfile, signal }),
    /** Ends all other sessions. */
    async changePassword(json: PasswordChange, signal?: AbortSignal): Promise<void> {
      await call(`${me}/password`, { json, schema: MessageAnswer, signal });
    },
    /**
     * Changes the address, which takes effect once the user opens the link in its email.
     * @returns the delivery state of the emails to both addresses
     */
    changeEmail: async (json: EmailChange, signal?: AbortSignal) =>
      (await call(`${me}/email`, { json, schema: MessageAnswer, signal })).mails ?? "sent",
    activeSessions: async (signal?: AbortSignal) =>
      (await call(`${me}/sessions`, { schema: ActiveSessionsAnswer, signal })).sessions,
    /** Ends a session. Succeeds if it has already ended. */
    async endSignIn(id: string, signal?: AbortSignal): Promise<void> {
      try {
        await remove(`${me}/sessions/${encodeURIComponent(id)}`, signal);
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
    },
    recentSignIns: async (signal?: AbortSignal) =>
      (await call(`${me}/sign-ins`, { schema: RecentSignInsAnswer, signal })).signIns,
    /** The size of the user's stored data. */
    stored: (signal?: AbortSignal) => call("/api/v1/storage", { schema: StorageUse, signal }),
    notices: (signal?: AbortSignal) => call(`${me}/notices`, { schema: NoticesAnswer, signal }),
    changeNotices: (json: NoticeSettings, signal?: AbortSignal) =>
      call(`${me}/notices`, { method: "PUT", json, schema: NoticesAnswer, signal }),
    endOtherSessions: (signal?: AbortSignal) => remove(`${me}/sessions`, signal),
    signInMethods: (signal?: AbortSignal) => call(`${me}/sign-in-methods`, { schema: SignInMethodsAnswer, signal }),
    /** Unlinks the provider's account, and ends all other sessions. */
    unlink: (json: Unlinking, signal?: AbortSignal) => remove(`${me}/identities`, signal, json),
    /** Gives this browser the cookie that authorizes the download. */
    allowExport: (signal?: AbortSignal) => call(`${exportPath}-access`, { method: "POST", schema: nothing(), signal }),
    /** Deletes the account and all its data. */
    erase: (json: AccountDeletion, signal?: AbortSignal) => remove(me, signal, json),
  };
}

export type SettingsApi = ReturnType<typeof createSettingsApi>;
