import { useSelector } from "@xstate/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type EnginesAnswer, maxFeedUrl, type NewFeed } from "#contract/index.ts";
import { selectFailure } from "#machines/collection/loading.ts";
import { selectIsCreating } from "#machines/collection/selectors.ts";
import { selectFolders } from "#machines/feeds/machine.ts";
import { LanguageChoice, type LanguageChoiceValue } from "#src/features/engines/language-choice.tsx";
import { CheckField } from "#src/ui/area-field.tsx";
import { EntryForm } from "#src/ui/entry-form.tsx";
import { Options, SelectField, TextField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { Feeds } from "./actor.ts";

/** The languages that this server recognizes and translates, and the default choice; null until they are loaded. */
export type FeedLanguages = { engines: EnginesAnswer; chosen: LanguageChoiceValue } | null;

interface NewFeedProps {
  feeds: Feeds;
  known: FeedLanguages;
}

function draftIn(form: HTMLFormElement, { sourceLanguage, targetLanguage }: LanguageChoiceValue): NewFeed {
  const data = new FormData(form);
  const folderId = String(data.get("folder") ?? "");
  return {
    url: String(data.get("url") ?? ""),
    sourceLanguage,
    ...(targetLanguage !== null && { targetLanguage }),
    folderId: folderId === "" ? null : folderId,
    takeNewest: data.get("newest") !== null,
  };
}

/** The form for the feed to follow, and for how its episodes are transcribed. */
export function NewFeedForm({ feeds, known }: NewFeedProps) {
  const { t } = useTranslation("feeds");
  const failure = useSelector(feeds, selectFailure);
  const creating = useSelector(feeds, selectIsCreating);
  const folders = useSelector(feeds, selectFolders);
  const [languages, setLanguages] = useState<LanguageChoiceValue>(
    known?.chosen ?? { sourceLanguage: "auto", targetLanguage: null },
  );
  return (
    <EntryForm
      className="ruled"
      title={t("form.title")}
      submitLabel={t("form.follow")}
      cancelLabel={t("form.cancel")}
      busy={creating}
      onSubmit={(form) => feeds.send({ type: "creation.submitted", draft: draftIn(form, languages) })}
      onDismiss={() => feeds.send({ type: "creation.dismissed" })}
    >
      <TextField
        name="url"
        type="url"
        inputMode="url"
        label={t("form.url")}
        hint={t("form.urlHint")}
        placeholder="https://"
        error={failure === "noUrl" ? t("failure.noUrl") : undefined}
        maxLength={maxFeedUrl}
        autoComplete="off"
        required
      />
      {known === null ? null : <LanguageChoice engines={known.engines} forFiles value={languages} onChange={setLanguages} />}
      {folders.length === 0 ? null : (
        <SelectField name="folder" label={t("form.folder")}>
          <option value="">{t("form.noFolder")}</option>
          <Options of={folders.map(({ id, name }) => [id, name])} />
        </SelectField>
      )}
      <CheckField name="newest" label={t("form.newest")} hint={t("form.newestHint")} />
      {creating ? <p role="status">{t("form.looking")}</p> : null}
      {failure === null || failure === "noUrl" ? null : (
        <Notice tone="danger">{t([`failure.${failure}`, "failure.other"])}</Notice>
      )}
    </EntryForm>
  );
}
