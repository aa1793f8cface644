import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type EnginesAnswer, speechLanguages } from "#contract/index.ts";
import { languageName } from "#src/i18n/format.ts";
import { buttonClass } from "#src/ui/button.tsx";
import { SelectField, TextField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { comeBackHere } from "./test-pages.ts";

/** Shown when signed out, as the calls need a token: a link to the sign-in and back. */
export function SignInFirst() {
  const { t } = useTranslation("debug");
  return (
    <Notice
      actions={
        <Link className={buttonClass("primary")} to="/signin" onClick={comeBackHere}>
          {t("signIn")}
        </Link>
      }
    >
      {t("signedOut")}
    </Notice>
  );
}

/** The spoken languages; for a test, unsupported ones can be chosen as well. */
export function LanguageField({ engines }: { engines: EnginesAnswer | undefined }) {
  const { t, i18n } = useTranslation("debug");
  const isRecognized = (code: string) => engines?.speech.languages.some((one) => one.code === code && one.available) ?? true;
  return (
    <SelectField label={t("language")} name="language" defaultValue="en">
      {speechLanguages.map((code) => {
        const name = code === "auto" ? t("auto") : languageName(code, i18n.language);
        return (
          <option key={code} value={code}>
            {isRecognized(code) ? name : t("notHeard", { language: name })}
          </option>
        );
      })}
    </SelectField>
  );
}

interface SourceFieldProps {
  withMicrophone?: boolean;
  onFile(file: File | undefined): void;
}

/** Selects the sound: the fixture, a file, or the microphone. */
export function SourceField({ withMicrophone = false, onFile }: SourceFieldProps) {
  const { t } = useTranslation("debug");
  const [source, setSource] = useState("fixture");
  return (
    <>
      <SelectField label={t("source")} name="source" value={source} onChange={(event) => setSource(event.target.value)}>
        <option value="fixture">{t("fixture")}</option>
        <option value="file">{t("file")}</option>
        {withMicrophone ? <option value="microphone">{t("microphone")}</option> : null}
      </SelectField>
      {source === "file" ? (
        <TextField
          label={t("chooseFile")}
          name="file"
          type="file"
          accept="audio/*,video/*"
          required
          onChange={(event) => onFile(event.target.files?.[0])}
        />
      ) : null}
    </>
  );
}
