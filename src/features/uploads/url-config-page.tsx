import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { EnginesAnswer } from "#contract/index.ts";
import { selectIsDone, selectIsSubmitting } from "#machines/submission.ts";
import { chosenLanguages, rememberLanguages } from "#src/features/engines/chosen-languages.ts";
import { LanguageChoice } from "#src/features/engines/language-choice.tsx";
import { UsageMeter, useIsAtLimit } from "#src/features/subscription/usage-meter.tsx";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { Page } from "#src/ui/page.tsx";
import { ConfigFields } from "./config-fields.tsx";
import { Refusal, submitUrl, UrlField } from "./url-field.tsx";
import type { UrlForm } from "./url-form.ts";
import { urlDraft } from "./url-form-actor.ts";

interface UrlConfigProps {
  form: UrlForm;
  engines: EnginesAnswer;
}

/** The form for the URL of a recording or podcast, with options. */
export function UrlConfigPage({ form, engines }: UrlConfigProps) {
  const { t } = useTranslation("uploads");
  const [languages, setLanguages] = useState(() => chosenLanguages(engines, { files: true }));
  const [config, setConfig] = useState(() => urlDraft.get());
  const submitting = useSelector(form, selectIsSubmitting);
  const done = useSelector(form, selectIsDone);
  const atLimit = useIsAtLimit();
  const option = engines.speech.languages.find(({ code }) => code === languages.sourceLanguage);
  const diarizes = engines.speech.diarizes === true;
  const tellsApart = config.speakers && option?.speakers === true;
  const values = () => ({
    sourceLanguage: languages.sourceLanguage,
    targetLanguage: languages.targetLanguage ?? "",
    title: config.title.trim(),
    vocabulary: config.vocabulary.trim(),
    speakers: tellsApart ? "1" : "",
    speakerCount: tellsApart && diarizes ? String(config.speakerCount ?? "") : "",
  });
  return (
    <Page title={t("url.title")} lead={t("url.lead")} actions={<ToFiles />}>
      <UsageMeter />
      <form
        className="stack gap-6"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!atLimit) submitUrl(event, form, values());
        }}
      >
        <section className="stack gap-4" aria-label={t("url.field")}>
          <UrlField form={form} label={t("url.field")} hint={t("url.hint")} />
        </section>
        <section className="stack gap-4" aria-labelledby="url-options">
          <h2 className="size-4" id="url-options">
            {t("config.options")}
          </h2>
          <LanguageChoice
            forFiles
            engines={engines}
            value={languages}
            onChange={(value) => {
              setLanguages(value);
              rememberLanguages(value);
            }}
          />
          <ConfigFields
            config={config}
            option={option}
            count={1}
            diarizes={diarizes}
            onChange={({ title, vocabulary, speakers, speakerCount }) => {
              setConfig({ ...config, title, vocabulary, speakers, speakerCount });
              urlDraft.set({ ...urlDraft.get(), title, vocabulary, speakers, speakerCount });
            }}
          />
          <Refusal form={form} />
          <div>
            <Button
              type="submit"
              look="primary"
              icon="download"
              busy={submitting || done}
              {...(atLimit && { "aria-disabled": true })}
            >
              {t("config.start")}
            </Button>
          </div>
        </section>
      </form>
      <span className="visuallyHidden" role="status">
        {submitting ? t("loading") : ""}
      </span>
    </Page>
  );
}

function ToFiles() {
  const { t } = useTranslation("uploads");
  return (
    <Link className={buttonClass("quiet")} to="/file-upload-config">
      {t("url.files")}
    </Link>
  );
}
