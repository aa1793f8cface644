import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { selectIsUnavailable as selectHasNoFeeds } from "#machines/feeds/selectors.ts";
import { selectIsUnavailable as selectHasNoTokens } from "#machines/personal-tokens/machine.ts";
import { selectData, selectIsOffered } from "#machines/query.ts";
import { selectIsUnavailable } from "#machines/vocabulary/machine.ts";
import { selectIsUnavailable as selectHasNoVoices } from "#machines/voice-profiles/machine.ts";
import { selectIsUnavailable as selectHasNoWebhooks } from "#machines/webhooks/selectors.ts";
import { Measuring } from "#src/features/analytics/measuring.tsx";
import type { Feeds } from "#src/features/feeds/actor.ts";
import { FeedsCard } from "#src/features/feeds/feeds-card.tsx";
import type { PasskeysActor } from "#src/features/passkeys/actor.ts";
import type { PersonalTokens } from "#src/features/personal-tokens/actor.ts";
import { PersonalTokensCard } from "#src/features/personal-tokens/personal-tokens-card.tsx";
import type { SecondFactorActor } from "#src/features/second-factor/actor.ts";
import type { Vocabulary } from "#src/features/vocabulary/actor.ts";
import { VocabularyCard } from "#src/features/vocabulary/vocabulary-card.tsx";
import type { VoiceProfiles } from "#src/features/voice-profiles/actor.ts";
import { VoiceProfilesCard } from "#src/features/voice-profiles/voice-profiles-card.tsx";
import type { Webhooks } from "#src/features/webhooks/actor.ts";
import { WebhooksCard } from "#src/features/webhooks/webhooks-card.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Page } from "#src/ui/page.tsx";
import type { Settings } from "./actor.ts";
import { Data, Ways } from "./data.tsx";
import { Display } from "./display.tsx";
import { Entry } from "./entry.tsx";
import { Confirmation } from "./methods.tsx";
import { NoticesCard } from "./notices-card.tsx";
import { Card } from "./part.tsx";
import { Profile } from "./profile.tsx";
import { SectionLinks } from "./section-links.tsx";
import styles from "./settings.module.css";
import { StoredCard } from "./stored-card.tsx";

interface SettingsPageProps {
  settings: Settings;
  secondFactor: SecondFactorActor;
  passkeys: PasskeysActor;
  vocabulary: Vocabulary;
  voices: VoiceProfiles;
  tokens: PersonalTokens;
  webhooks: Webhooks;
  feeds: Feeds;
}

interface Section {
  /** Its heading's, and its address within the page. */
  id: string;
  title: string;
  text: string;
  content: ReactNode;
}

/** The settings of the account and of the app. */
export function SettingsPage(props: SettingsPageProps) {
  const { t } = useTranslation("settings");
  const offered = useSelector(props.settings.activeSessions.list, selectIsOffered);
  const sections = useSections(props, offered);
  return (
    <Page title={t("title")} lead={t("lead")}>
      {offered ? null : (
        <Notice>
          <strong>{t("app:notOffered.account")}</strong>
          <p>{t("app:notOffered.accountText")}</p>
        </Notice>
      )}
      {/* One block: what sticks does so within it. */}
      <div className={styles.below}>
        <SectionLinks label={t("sections")} sections={sections} />
        <div className={styles.groups}>
          {sections.map((section) => (
            <Group key={section.id} {...section} />
          ))}
        </div>
      </div>
    </Page>
  );
}

/** Those that this server has. */
function useSections(
  { settings, secondFactor, passkeys, vocabulary, voices, tokens, webhooks, feeds }: SettingsPageProps,
  offered: boolean,
): Section[] {
  const { t } = useTranslation("settings");
  const hasVocabulary = !useSelector(vocabulary, selectIsUnavailable);
  const hasVoices = !useSelector(voices, selectHasNoVoices);
  const hasTokens = !useSelector(tokens, selectHasNoTokens) && offered;
  const hasNotices = useSelector(settings.notices.list, selectIsOffered) && offered;
  const hasWebhooks = !useSelector(webhooks, selectHasNoWebhooks) && offered;
  const languages = useSelector(settings.defaults.list, selectData);
  const hasFeeds = !useSelector(feeds, selectHasNoFeeds) && offered;
  const group = (
    id: string,
    name: "profile" | "display" | "notices" | "entry" | "plan" | "data",
    content: ReactNode,
  ): Section => ({
    id,
    title: t(`groups.${name}`),
    text: t(`groups.${name}Text`),
    content,
  });
  const other = (id: string, content: ReactNode): Section => ({ id, title: t(`${id}:title`), text: t(`${id}:text`), content });
  return [
    ...(offered ? [group("profile", "profile", <Profile settings={settings} />)] : []),
    group("display", "display", <Display settings={settings} />),
    ...(hasNotices ? [group("notices", "notices", <NoticesCard notices={settings.notices} />)] : []),
    ...(hasFeeds ? [other("feeds", <FeedsCard feeds={feeds} languages={languages} />)] : []),
    ...(hasVocabulary ? [other("vocabulary", <VocabularyCard vocabulary={vocabulary} />)] : []),
    ...(hasVoices ? [other("voice-profiles", <VoiceProfilesCard voices={voices} />)] : []),
    ...(offered
      ? [group("sign-in", "entry", <Entry settings={settings} secondFactor={secondFactor} passkeys={passkeys} />)]
      : []),
    ...(hasTokens
      ? [other("personal-tokens", <PersonalTokensCard tokens={tokens} confirmation={<Confirmation settings={settings} />} />)]
      : []),
    ...(hasWebhooks ? [other("webhooks", <WebhooksCard webhooks={webhooks} />)] : []),
    group("plan-and-vault", "plan", <Ways />),
    group("data", "data", <DataCards settings={settings} offered={offered} />),
  ];
}

function DataCards({ settings, offered }: { settings: Settings; offered: boolean }) {
  return (
    <>
      <StoredCard stored={settings.stored} />
      <Measuring
        around={(choice, title) => (
          <Card id="measuring" title={title}>
            {choice}
          </Card>
        )}
      />
      {offered ? <Data settings={settings} /> : null}
    </>
  );
}

function Group({ id, title, text, content }: Section) {
  return (
    <section className={styles.group} aria-labelledby={id}>
      <header>
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        <p className={styles.soft}>{text}</p>
      </header>
      <div className={styles.cards}>{content}</div>
    </section>
  );
}
