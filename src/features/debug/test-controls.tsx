import { Link } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { type EnginesAnswer, speechLanguages } from "#contract/index.ts";
import { languageName } from "#src/i18n/format.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { SelectField, TextField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import styles from "./test-pages.module.css";
import { type Bench, comeBackHere } from "./test-pages.ts";

/** The spoken languages. A test can also choose an unsupported one. */
function LanguageField({ engines }: { engines: EnginesAnswer | undefined }) {
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
  withMicrophone: boolean;
  onFile(file: File | undefined): void;
}

/** Selects the audio source: the fixture, a file, or the microphone. */
function SourceField({ withMicrophone, onFile }: SourceFieldProps) {
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

interface TestFormProps {
  bench: Bench;
  engines: EnginesAnswer | undefined;
  withMicrophone?: boolean;
  busy: boolean;
  canStop: boolean;
  onStart(form: FormData, source: string): void;
  onStop(): void;
  /** More fields. */
  children: ReactNode;
}

/** The options of a test. A signed-out user gets a link to the sign-in first, because the calls need a token. */
export function TestForm({ bench, engines, withMicrophone = false, busy, canStop, onStart, onStop, children }: TestFormProps) {
  const { t } = useTranslation("debug");
  const start = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const source = String(form.get("source"));
    if (source === "fixture") bench.file = undefined;
    onStart(form, source);
  };
  return (
    <>
      {bench.isSignedIn ? null : <SignInFirst />}
      <form onSubmit={start}>
        <div className={`columns bottom ${styles.form}`}>
          <SourceField
            withMicrophone={withMicrophone}
            onFile={(file) => {
              bench.file = file;
            }}
          />
          {children}
          <LanguageField engines={engines} />
        </div>
        <div className={`row gap-3 ${styles.actions}`}>
          <Button type="submit" look="primary" disabled={!bench.isSignedIn} busy={busy}>
            {t("start")}
          </Button>
          <Button disabled={!canStop} onClick={onStop}>
            {t("stop")}
          </Button>
        </div>
      </form>
    </>
  );
}

/** A link to the sign-in, which returns to this page. */
function SignInFirst() {
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
