import type { TFunction } from "i18next";
import { Button } from "#src/ui/button.tsx";
import type { Translator } from "./actor.ts";
import styles from "./translator.module.css";

interface UntranslatedProps extends Pick<Translator, "recorder"> {
  t: TFunction<"translator">;
  /** Of `t`: what stands around it is in another one. */
  language: string;
}

/** Some of what is being said could not be translated. It is kept all the same, and tried once more before it is saved. */
export function Untranslated({ recorder, t, language }: UntranslatedProps) {
  return (
    <p className={`row gap-3 note ${styles.untranslated}`} lang={language} role="status">
      {t("turn.untranslated")}
      <Button
        icon="retry"
        onClick={({ currentTarget }) => {
          // The button disappears with its purpose.
          currentTarget.closest("section")?.focus({ preventScroll: true });
          recorder.translateAgain();
        }}
      >
        {t("turn.translateAgain")}
      </Button>
    </p>
  );
}
