import type { EnginesAnswer, RecentSignIn, StorageUse } from "#contract/index.ts";
import { selectData } from "#machines/query.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { storage } from "#src/browser/storage.ts";
import { toast } from "#src/browser/toasts.ts";
import type { Part } from "#src/features/account/part.ts";
import { type Query, startQuery } from "#src/features/account/query.ts";
import { loadEngines } from "#src/features/engines/actor.ts";
import { type ChosenLanguages, chosenLanguages, rememberLanguages } from "#src/features/engines/chosen-languages.ts";
import { enterFeeds, type Feeds, leaveFeeds } from "#src/features/feeds/actor.ts";
import { enterPasskeys, leavePasskeys, type PasskeysActor } from "#src/features/passkeys/actor.ts";
import { enterPersonalTokens, leavePersonalTokens, type PersonalTokens } from "#src/features/personal-tokens/actor.ts";
import { createRules, type Rules } from "#src/features/retention/folder-rules.ts";
import { enterSecondFactor, leaveSecondFactor, type SecondFactorActor } from "#src/features/second-factor/actor.ts";
import { openSession } from "#src/features/session/actor.ts";
import { enterVocabulary, leaveVocabulary, type Vocabulary } from "#src/features/vocabulary/actor.ts";
import { enterVoiceProfiles, leaveVoiceProfiles, type VoiceProfiles } from "#src/features/voice-profiles/actor.ts";
import { enterWebhooks, leaveWebhooks, type Webhooks } from "#src/features/webhooks/actor.ts";
import { type ActiveSessions, createActiveSessions } from "./active-sessions.ts";
import { createSection, type Keep } from "./create-section.ts";
import { api, createEnvironment, openMethods, readProfileAgain } from "./environment.ts";
import {
  deletionPart,
  emailPart,
  exportPart,
  languagePart,
  namePart,
  passwordPart,
  removePicturePart,
  resendPart,
  type SettingsEnvironment,
} from "./forms.ts";
import { createNotices, type Notices } from "./notices.ts";
import { createPicture, type Picture } from "./picture.ts";
import type { Methods } from "./sign-in-methods.ts";

// The state of each section, in one module. The routes import it on demand, because every page loads the route loaders.

export interface AccountState {
  name: Part;
  picture: Picture;
  removePicture: Part;
  email: Part;
  resend: Part;
  methods: Methods;
}
export const account = createSection<AccountState>((keep) => {
  const environment = createEnvironment();
  readProfileAgain();
  return {
    name: keep(namePart(environment)),
    picture: keep(createPicture(environment)),
    removePicture: keep(removePicturePart(environment)),
    email: keep(emailPart(environment)),
    resend: keep(resendPart(environment)),
    methods: openMethods(keep),
  };
});

export interface PreferencesState {
  language: Part & { choose(code: string): void };
}
export const preferences = createSection<PreferencesState>((keep) => ({ language: keep(createLanguage(createEnvironment())) }));

function createLanguage(environment: SettingsEnvironment): PreferencesState["language"] {
  let wanted = "";
  const part = languagePart(environment, () => wanted);
  return {
    ...part,
    choose: (code) => {
      wanted = code;
      part.get().form.send({ type: "submit.requested", values: {} });
    },
  };
}

/** The available languages, and the default choice. */
interface KnownDefaults {
  engines: EnginesAnswer;
  chosen: ChosenLanguages;
}
export interface Defaults {
  list: Query<KnownDefaults>;
  choose(chosen: ChosenLanguages): void;
}
export interface TranscriptionState {
  defaults: Defaults;
  feeds: Feeds;
  vocabulary: Vocabulary;
  voices: VoiceProfiles;
}
export const transcription = createSection<TranscriptionState>((keep) => {
  return {
    defaults: createDefaults(keep),
    feeds: keep.shown(enterFeeds(), leaveFeeds),
    vocabulary: keep.shown(enterVocabulary(), leaveVocabulary),
    voices: keep.shown(enterVoiceProfiles(), leaveVoiceProfiles),
  };
});

function createDefaults(keep: Keep): Defaults {
  const list = keep.shown(
    startQuery<KnownDefaults>(async () => {
      const engines = await loadEngines();
      return { engines, chosen: chosenLanguages(engines) };
    }),
  );
  return {
    list,
    choose: (chosen) => {
      const before = selectData(list.getSnapshot());
      if (before !== null) list.send({ type: "data.changed", data: { ...before, chosen } });
      rememberLanguages(chosen);
    },
  };
}

export interface NotificationsState {
  notices: Notices;
}
export const notifications = createSection<NotificationsState>((keep) => {
  const notices = keep(createNotices(api));
  keep.shown(notices.list);
  return { notices };
});

export interface SecurityState {
  password: Part;
  secondFactor: SecondFactorActor;
  passkeys: PasskeysActor;
  methods: Methods;
  activeSessions: ActiveSessions;
  recentSignIns: Query<readonly RecentSignIn[]>;
}
export const security = createSection<SecurityState>((keep) => {
  const activeSessions = createActiveSessions(api);
  const { aloneNow } = activeSessions;
  keep.shown(activeSessions.list);
  keep(activeSessions.end);
  readProfileAgain();
  const credentialChanged = () => {
    aloneNow();
    openSession().send({ type: "profile.outdated" });
  };
  return {
    password: keep(passwordPart(createEnvironment(aloneNow))),
    secondFactor: keep.shown(enterSecondFactor(credentialChanged), leaveSecondFactor),
    passkeys: keep.shown(enterPasskeys(credentialChanged), leavePasskeys),
    methods: openMethods(keep, aloneNow),
    activeSessions,
    recentSignIns: keep.shown(startQuery<readonly RecentSignIn[]>((signal) => api.recentSignIns(signal))),
  };
});

export interface DeveloperState {
  tokens: PersonalTokens;
  webhooks: Webhooks;
  methods: Methods;
}
export const developer = createSection<DeveloperState>((keep) => {
  readProfileAgain();
  return {
    tokens: keep.shown(enterPersonalTokens(), leavePersonalTokens),
    webhooks: keep.shown(enterWebhooks(), leaveWebhooks),
    methods: openMethods(keep),
  };
});

export interface DataState {
  /** Storage used on the server (SPEC.md has no such call). */
  stored: Query<StorageUse>;
  rules: Rules;
  export: Part;
  deletion: Part;
  methods: Methods;
}
export const data = createSection<DataState>((keep, ownerId) => {
  const environment = createEnvironment();
  readProfileAgain();
  const rules = createRules();
  keep.shown(rules.list);
  return {
    stored: keep.shown(startQuery((signal) => api.stored(signal))),
    rules,
    export: keep(exportPart(environment)),
    deletion: createDeletion(keep, environment, ownerId),
    methods: openMethods(keep),
  };
});

function createDeletion(keep: Keep, environment: SettingsEnvironment, ownerId: string | null): Part {
  const deletion = keep(deletionPart(environment));
  let deleted = deletion.get().completions;
  deletion.subscribe(() => {
    const { completions } = deletion.get();
    if (ownerId !== null && completions > deleted) void onAccountDeleted(ownerId);
    deleted = completions;
  });
  return deletion;
}

/** Called after the account was deleted: removes its data from this browser, and ends the session. */
async function onAccountDeleted(ownerId: string): Promise<void> {
  await pageRouter().navigate({ to: "/", replace: true });
  openSession().send({ type: "forceLogout.heard" });
  const { clearDatabasesOf, clearLocalStorageOf } = await import("./clear-data-of-person.ts");
  clearLocalStorageOf(storage, ownerId);
  toast({ kind: "success", key: "settings:deletion.done" });
  await clearDatabasesOf(ownerId);
}
