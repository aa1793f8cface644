import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { selectIsOffered } from "#machines/query.ts";
import { selectIsUnavailable } from "#machines/vocabulary/machine.ts";
import { selectIsUnavailable as selectHasNoVoices } from "#machines/voice-profiles/machine.ts";
import { Measuring } from "#src/features/analytics/measuring.tsx";
import type { Vocabulary } from "#src/features/vocabulary/actor.ts";
import { VocabularyCard } from "#src/features/vocabulary/vocabulary-card.tsx";
import type { VoiceProfiles } from "#src/features/voice-profiles/actor.ts";
import { VoiceProfilesCard } from "#src/features/voice-profiles/voice-profiles-card.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Page } from "#src/ui/page.tsx";
import type { Settings } from "./actor.ts";
import { Data, Ways } from "./data.tsx";
import { Display } from "./display.tsx";
import { Entry } from "./entry.tsx";
import { Card } from "./part.tsx";
import { Profile } from "./profile.tsx";
import styles from "./settings.module.css";
import { StoredCard } from "./stored-card.tsx";

interface SettingsPageProps {
  settings: Settings;
  vocabulary: Vocabulary;
  voices: VoiceProfiles;
}

/** The settings of the account and of the app. */
export function SettingsPage({ settings, vocabulary, voices }: SettingsPageProps) {
  const { t } = useTranslation("settings");
  const offered = useSelector(settings.activeSessions.list, selectIsOffered);
  const hasVocabulary = !useSelector(vocabulary, selectIsUnavailable);
  const hasVoices = !useSelector(voices, selectHasNoVoices);
  return (
    <Page title={t("title")} lead={t("lead")}>
      {offered ? (
        <Group id="group-profile" title={t("groups.profile")} text={t("groups.profileText")}>
          <Profile settings={settings} />
        </Group>
      ) : (
        <Notice>
          <strong>{t("app:notOffered.account")}</strong>
          <p>{t("app:notOffered.accountText")}</p>
        </Notice>
      )}
      <Group id="group-display" title={t("groups.display")} text={t("groups.displayText")}>
        <Display settings={settings} />
      </Group>
      {hasVocabulary ? (
        <Group id="group-vocabulary" title={t("vocabulary:title")} text={t("vocabulary:text")}>
          <VocabularyCard vocabulary={vocabulary} />
        </Group>
      ) : null}
      {hasVoices ? (
        <Group id="group-voices" title={t("voice-profiles:title")} text={t("voice-profiles:text")}>
          <VoiceProfilesCard voices={voices} />
        </Group>
      ) : null}
      {offered ? (
        <Group id="group-entry" title={t("groups.entry")} text={t("groups.entryText")}>
          <Entry settings={settings} />
        </Group>
      ) : null}
      <Group id="group-plan" title={t("groups.plan")} text={t("groups.planText")}>
        <Ways />
      </Group>
      <Group id="group-data" title={t("groups.data")} text={t("groups.dataText")}>
        <StoredCard stored={settings.stored} />
        <Measuring
          around={(choice, title) => (
            <Card id="measuring" title={title}>
              {choice}
            </Card>
          )}
        />
        {offered ? <Data settings={settings} /> : null}
      </Group>
    </Page>
  );
}

function Group({ id, title, text, children }: { id: string; title: string; text: string; children: ReactNode }) {
  return (
    <section className={styles.group} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <p className={styles.soft}>{text}</p>
      </header>
      <div className={styles.cards}>{children}</div>
    </section>
  );
}
