import { useTranslation } from "react-i18next";
import { codeDigits } from "#contract/index.ts";
import type { CodeKind } from "#machines/second-factor/step.ts";
import { TextField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";

interface CodeFieldProps {
  /** `any`: either kind of code. */
  kind: CodeKind | "any";
  /** An error code of the contract, or `noCode`. */
  failure: string | null;
}

/** Failures caused by the code itself. They appear at the field. */
const ofTheCode = ["noCode", "wrongCode"];

/**
 * The field for a code of the authenticator app, or for a recovery code. The device may fill it in. A refused code
 * stays.
 */
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
