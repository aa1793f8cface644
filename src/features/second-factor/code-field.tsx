import { useTranslation } from "react-i18next";
import { codeDigits } from "#contract/index.ts";
import type { CodeKind } from "#machines/second-factor/step.ts";
import { TextField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";

interface CodeFieldProps {
  /** `any`: one of the two. */
  kind: CodeKind | "any";
  /** An error code of the contract, or `noCode`. */
  failure: string | null;
}

/** Failures that the code itself is the reason of: they stand at its field. */
const ofTheCode = ["noCode", "wrongCode"];

/** A code of the authenticator app, or a recovery code: fills itself where the device knows it. What is refused stays typed. */
export function CodeField({ kind, failure }: CodeFieldProps) {
  const { t } = useTranslation("second-factor");
  const isWrong = failure !== null && ofTheCode.includes(failure);
  const numeric = kind === "app" ? ({ inputMode: "numeric", autoComplete: "one-time-code" } as const) : { autoComplete: "off" };
  return (
    <>
      <TextField
        {...numeric}
        name="code"
        label={t(`code.${kind}`)}
        hint={t(`code.${kind}Hint`, { digits: codeDigits })}
        error={isWrong ? t(`failure.${failure}`) : undefined}
        maxLength={64}
        spellCheck={false}
        autoCapitalize="none"
        required
      />
      {failure === null || isWrong ? null : <Notice tone="danger">{t([`failure.${failure}`, "failure.other"])}</Notice>}
    </>
  );
}
