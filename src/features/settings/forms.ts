import { safeParse } from "valibot";
import {
  avatarTypes,
  Email,
  type ErrorCode,
  type MailState,
  maxAvatarBytes,
  ProfileChange,
  type UserProfile,
} from "#contract/index.ts";
import type { SubmissionResult, Values } from "#machines/submission.ts";
import { ApiError } from "#src/api/http.ts";
import type { SettingsApi } from "#src/api/settings.ts";
import { checkFields, createForm, done, passwordError, refused } from "#src/features/account/forms.ts";
import { mailKeys } from "#src/features/account/mail-forms.ts";
import { button, createPart } from "#src/features/account/part.ts";
import { interfaceLanguageOf } from "#src/i18n/interface-language.ts";

/** Dependencies of the settings' forms. */
export interface SettingsEnvironment {
  api: SettingsApi;
  /** The signed-in user. */
  user(): UserProfile | null;
  /** Replaces the session's profile. */
  updateProfile(user: UserProfile): void;
  /** Changes the interface language. */
  speak(language: string): Promise<unknown>;
  /** Requests the confirmation email again. */
  resend(email: string, signal: AbortSignal): Promise<MailState>;
  /** Called when all other sessions have ended. */
  aloneNow(): void;
  /** Starts the export's download after the user has confirmed it. */
  download(): void;
}

type Submit = (values: Values, signal: AbortSignal) => Promise<SubmissionResult>;
const part = (initial: () => Values, check: (values: Values) => Values, submit: Submit) =>
  createPart(() => createForm(initial(), check, submit));

export const namePart = ({ api, user, updateProfile }: SettingsEnvironment) =>
  part(
    () => ({ name: user()?.name ?? "" }),
    (values) => checkFields({ name: safeParse(ProfileChange, values).success ? undefined : "account.nameLong" }),
    async ({ name = "" }, signal) => {
      updateProfile(await api.change({ name }, signal));
      return done("settings:name.saved");
    },
  );

/** Only accounts with a password need to enter it. */
const ownPassword = (environment: SettingsEnvironment, password = "") =>
  environment.user()?.hasPassword !== false && password === "" ? "account.passwordRequired" : undefined;

export const emailPart = (environment: SettingsEnvironment) =>
  part(
    () => ({ email: "", password: "" }),
    ({ email, password }) =>
      checkFields({
        email: safeParse(Email, email).success ? undefined : "account.emailInvalid",
        password: ownPassword(environment, password),
      }),
    async ({ email = "", password = "" }, signal) => {
      const mails = await environment.api.changeEmail({ email, password }, signal);
      return done(mailKeys("settings:email.sent")[mails], { email: email.trim() });
    },
  );

export const resendPart = ({ user, resend }: SettingsEnvironment) =>
  button(async (signal) => {
    return done(mailKeys("account.confirmationSent")[await resend(user()?.email ?? "", signal)]);
  });

export const passwordPart = (environment: SettingsEnvironment) =>
  part(
    () => ({ currentPassword: "", newPassword: "" }),
    ({ currentPassword, newPassword }) =>
      checkFields({
        currentPassword: ownPassword(environment, currentPassword),
        newPassword: passwordError(newPassword, environment.user()?.email),
      }),
    async ({ currentPassword = "", newPassword = "" }, signal) => {
      await environment.api.changePassword({ currentPassword, newPassword }, signal);
      environment.aloneNow();
      const user = environment.user();
      if (user !== null) environment.updateProfile({ ...user, hasPassword: true });
      return done("settings:password.saved");
    },
  );

/** Validates a picture before it is decoded. Returns a key of the locale files. */
export function pictureProblem({ type, size }: Pick<File, "type" | "size">): string | undefined {
  if (!avatarTypes.some((known) => known === type)) return "settings:picture.wrongType";
  return size > maxAvatarBytes ? "settings:picture.tooLarge" : undefined;
}

/** Errors that only the server can find in a picture. The client has already checked its size in bytes. */
const refusedPictures: { [Code in ErrorCode]?: string } = {
  badRequest: "settings:picture.unreadable",
  notImage: "settings:picture.unreadable",
  tooLarge: "settings:picture.tooManyPixels",
};

/** @param chosen the picture to upload */
export const picturePart = ({ api, updateProfile }: SettingsEnvironment, chosen: { get(): File | null; clear(): void }) =>
  button(async (signal) => {
    const picture = chosen.get();
    if (picture === null) return refused("settings:picture.unreadable");
    try {
      updateProfile(await api.keepPicture(picture, signal));
    } catch (error) {
      const key = error instanceof ApiError ? refusedPictures[error.code] : undefined;
      if (key === undefined) throw error;
      return refused(key);
    }
    chosen.clear();
    return done("settings:picture.saved");
  });

export const removePicturePart = ({ api, updateProfile }: SettingsEnvironment) =>
  button(async (signal) => {
    updateProfile(await api.removePicture(signal));
    return done("settings:picture.removed");
  });

/**
 * Saves the language. If the user changes it while it is being saved, saves again.
 * @param wanted returns the last chosen language
 */
export const languagePart = ({ api, speak }: SettingsEnvironment, wanted: () => string) =>
  button(async (signal) => {
    let saved: string;
    do {
      saved = wanted();
      await speak(saved);
      const language = interfaceLanguageOf(saved);
      if (language !== undefined) await api.change({ language }, signal);
    } while (saved !== wanted());
    return done("settings:language.saved");
  });

export const exportPart = ({ api, download }: SettingsEnvironment) =>
  button(async (signal) => {
    await api.allowExport(signal);
    download();
    return done("settings:export.begun");
  });

export const deletionPart = (environment: SettingsEnvironment) =>
  part(
    () => ({ password: "" }),
    ({ password }) => checkFields({ password: ownPassword(environment, password) }),
    async ({ password = "" }, signal) => {
      await environment.api.erase({ password }, signal);
      return done("settings:deletion.done");
    },
  );
