import * as v from "valibot";
import { type EnginesAnswer, InterfaceLanguage, type RecentSignIn, type StorageUse, type UserProfile } from "#contract/index.ts";
import { selectData } from "#machines/query.ts";
import { selectUser } from "#machines/session/selectors.ts";
import { createAccountApi } from "#src/api/account.ts";
import { apiBase, createCall } from "#src/api/http.ts";
import { createSettingsApi, exportPath } from "#src/api/settings.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { storage } from "#src/browser/storage.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { toast } from "#src/browser/toasts.ts";
import type { Part } from "#src/features/account/part.ts";
import { type Query, startQuery } from "#src/features/account/query.ts";
import { loadEngines } from "#src/features/engines/actor.ts";
import { type ChosenLanguages, chosenLanguages, rememberLanguages } from "#src/features/engines/chosen-languages.ts";
import { openSession, plainSend } from "#src/features/session/actor.ts";
import { call, send } from "#src/features/session/api.ts";
import { linkingPlace, startOf } from "#src/features/session/create-federated.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { askProvider } from "#src/features/session/provider-window.ts";
import { i18n } from "#src/i18n/index.ts";
import { type ActiveSessions, createActiveSessions } from "./active-sessions.ts";
import {
  deletionPart,
  emailPart,
  exportPart,
  languagePart,
  namePart,
  passwordPart,
  picturePart,
  pictureProblem,
  removePicturePart,
  resendPart,
  type SettingsWorld,
} from "./forms.ts";
import { createNotices, type Notices } from "./notices.ts";
import { createMethods, type Methods } from "./sign-in-methods.ts";

const api = createSettingsApi(call, send);
const account = createAccountApi(createCall(plainSend));

/** The chosen picture that is not uploaded yet. */
interface ChosenPicture {
  file: File | null;
  /** The preview's URL; "" without one. */
  url: string;
  /** Why a picture is rejected: a key of the locale files. */
  problem: string | null;
}

/** The available languages, and the default choice among them. */
interface Defaults {
  engines: EnginesAnswer;
  chosen: ChosenLanguages;
}

export interface Settings {
  name: Part;
  email: Part;
  resend: Part;
  password: Part;
  picture: Part & { chosen: ReadableStore<ChosenPicture>; choose(file: File | null): void; unreadable(): void };
  removePicture: Part;
  activeSessions: ActiveSessions;
  recentSignIns: Query<readonly RecentSignIn[]>;
  methods: Methods;
  notices: Notices;
  language: Part & { choose(code: string): void };
  defaults: { list: Query<Defaults>; choose(chosen: ChosenLanguages): void };
  /** Storage used on the server (SPEC.md has no such call). */
  stored: Query<StorageUse>;
  export: Part;
  deletion: Part;
  /** Another credential was changed: all other ways into the account have ended. */
  credentialChanged(): void;
}

const submit = (part: Part, values: Record<string, string> = {}) => part.get().form.send({ type: "submit.requested", values });

const nobody: ChosenPicture = { file: null, url: "", problem: null };

function createPicture(world: SettingsWorld): Settings["picture"] {
  const chosen = createStore(nobody);
  const set = (next: ChosenPicture) => {
    URL.revokeObjectURL(chosen.get().url);
    chosen.set(next);
  };
  const part = picturePart(world, { get: () => chosen.get().file, clear: () => set(nobody) });
  return {
    ...part,
    chosen,
    choose: (file) => {
      part.clearMessage();
      if (file === null) return set(nobody);
      const problem = pictureProblem(file) ?? null;
      set(problem === null ? { file, url: URL.createObjectURL(file), problem } : { ...nobody, problem });
    },
    unreadable: () => set({ ...nobody, problem: "settings:picture.unreadable" }),
    stop: () => {
      part.stop();
      set(nobody);
    },
  };
}

function createDefaults(): Settings["defaults"] {
  const list = startQuery<Defaults>(async () => {
    const engines = await loadEngines();
    return { engines, chosen: chosenLanguages(engines) };
  });
  return {
    list,
    choose: (chosen) => {
      const before = selectData(list.getSnapshot());
      if (before !== null) list.send({ type: "data.changed", data: { ...before, chosen } });
      rememberLanguages(chosen);
    },
  };
}

function createLanguage(world: SettingsWorld): Settings["language"] {
  let wanted = "";
  const part = languagePart(world, () => wanted);
  return {
    ...part,
    choose: (code) => {
      wanted = code;
      submit(part);
    },
  };
}

const updateProfile = (user: UserProfile) => openSession().send({ type: "profile.changed", user });

/** The account was deleted: removes its data from this browser, and ends the session. */
async function onAccountDeleted(ownerId: string): Promise<void> {
  await pageRouter().navigate({ to: "/", replace: true });
  openSession().send({ type: "forceLogout.heard" });
  const { clearDatabasesOf, clearLocalStorageOf } = await import("./clear-data-of-person.ts");
  clearLocalStorageOf(storage, ownerId);
  toast({ kind: "success", key: "settings:deletion.done" });
  await clearDatabasesOf(ownerId);
}

interface OpenSettings {
  settings: Settings;
  stop(): void;
}
const opened = perOwner<OpenSettings>({ end: (open) => open.stop() });

/**
 * The state of the page: the same parts until it is left. Data that others may have changed is reloaded.
 * @param onAlone all other ways into the account have ended: other sessions, and personal access tokens
 */
export function enterSettings(onAlone: () => void): Settings {
  return opened.open((owner) => createSettings(owner, onAlone)).settings;
}

function createSettings(owner: string | null, onAlone: () => void): OpenSettings {
  const left = new AbortController();
  const activeSessions = createActiveSessions(api, onAlone);
  const methods = createMethods({
    api,
    ask: (provider, purpose, signal) => {
      const start = new URL(apiBase + startOf(provider), location.href).href;
      return askProvider({ page: window, start }, purpose, signal);
    },
    openLinking: () => location.assign(linkingPlace),
    aloneNow: activeSessions.aloneNow,
  });
  // On failure, the known data stays.
  const loadProfile = () => void api.me(left.signal).then(updateProfile, () => {});
  const world: SettingsWorld = {
    api,
    updateProfile,
    user: () => selectUser(openSession().getSnapshot()),
    speak: (language) => i18n.changeLanguage(language),
    resend: async (email, signal) => {
      const language = v.safeParse(InterfaceLanguage, i18n.language);
      return account.resendConfirmation({ email, ...(language.success && { language: language.output }) }, signal);
    },
    aloneNow: activeSessions.aloneNow,
    download: () => location.assign(`${apiBase}${exportPath}`),
  };
  const settings: Settings = {
    name: namePart(world),
    email: emailPart(world),
    resend: resendPart(world),
    password: passwordPart(world),
    picture: createPicture(world),
    removePicture: removePicturePart(world),
    activeSessions,
    recentSignIns: startQuery((signal) => api.recentSignIns(signal)),
    methods,
    notices: createNotices(api),
    language: createLanguage(world),
    defaults: createDefaults(),
    export: exportPart(world),
    deletion: deletionPart(world),
    stored: startQuery((signal) => api.stored(signal)),
    credentialChanged: () => {
      activeSessions.aloneNow();
      loadProfile();
    },
  };
  const { activeSessions: _, methods: __, credentialChanged: ___, defaults, stored, recentSignIns, ...parts } = settings;
  const queries = [activeSessions.list, methods.list, defaults.list, stored, recentSignIns];
  const all: { stop(): unknown }[] = [...Object.values(parts), activeSessions.end, methods, ...queries];
  let deleted = settings.deletion.get().completions;
  settings.deletion.subscribe(() => {
    const { completions } = settings.deletion.get();
    if (owner !== null && completions > deleted) void onAccountDeleted(owner);
    deleted = completions;
  });
  loadProfile();
  const stop = () => {
    left.abort();
    for (const each of all) each.stop();
  };
  return { settings, stop };
}

/** Aborts pending calls. */
export const leaveSettings = opened.close;
