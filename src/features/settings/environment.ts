import type { UserProfile } from "#contract/index.ts";
import { selectUser } from "#machines/session/selectors.ts";
import { createAccountApi } from "#src/api/account.ts";
import { apiBase, createCall } from "#src/api/http.ts";
import { createSettingsApi, exportPath } from "#src/api/settings.ts";
import { openSession, plainSend } from "#src/features/session/actor.ts";
import { call, send } from "#src/features/session/api.ts";
import { linkingPlace, startOf } from "#src/features/session/create-federated.ts";
import { askProvider } from "#src/features/session/provider-window.ts";
import { i18n } from "#src/i18n/index.ts";
import { interfaceLanguageOf } from "#src/i18n/interface-language.ts";
import type { Keep } from "./create-section.ts";
import type { SettingsEnvironment } from "./forms.ts";
import { createMethods, type Methods } from "./sign-in-methods.ts";

export const api = createSettingsApi(call, send);
const account = createAccountApi(createCall(plainSend));

const updateProfile = (user: UserProfile) => openSession().send({ type: "profile.changed", user });

/** The dependencies of the settings' forms. @param aloneNow called when all other sessions have ended */
export const createEnvironment = (aloneNow = () => {}): SettingsEnvironment => ({
  api,
  updateProfile,
  user: () => selectUser(openSession().getSnapshot()),
  speak: (language) => i18n.changeLanguage(language),
  resend: async (email, signal) => {
    const language = interfaceLanguageOf(i18n.language);
    return account.resendConfirmation({ email, ...(language && { language }) }, signal);
  },
  aloneNow,
  download: () => location.assign(`${apiBase}${exportPath}`),
});

/**
 * The providers with which a user without a password confirms a change.
 * @param aloneNow called when all other sessions have ended
 */
export function openMethods(keep: Keep, aloneNow = () => {}): Methods {
  const methods = createMethods({
    api,
    ask: (provider, purpose, signal) => {
      const start = new URL(apiBase + startOf(provider), location.href).href;
      return askProvider({ page: window, start }, purpose, signal);
    },
    openLinking: () => location.assign(linkingPlace),
    aloneNow,
  });
  keep.shown(methods.list);
  return keep(methods);
}

/** Reloads the profile, because another device may have changed it. On failure, the known one stays. */
export const readProfileAgain = (): void => openSession().send({ type: "profile.requested" });
